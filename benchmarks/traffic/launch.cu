/* Launches variants of conv1d/ once each, on a fixed signal: `launch N THREADS MASK ..`. Before each
 * it launches mark_kernel, so that a profiler's list of kernels shows where a variant begins, and
 * prints a line `VARIANT MASK`. On a GPU it has all variants (hpc_variants); the CPU device's
 * checker looks at one of them, compiled with -DONE_VARIANT. benchmarks/traffic/run. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "conv1d/conv1d.h"
#include "common/table.h"

#ifdef ONE_VARIANT
static const struct hpc_variant *const one[] = {&hpc_variant, nullptr};
static const struct hpc_variant *const *const lists[] = {one};
#else
extern "C" const struct hpc_variant hpc_variant_copy; /* conv1d/op/copy.cu */
static const struct hpc_variant *const copy[] = {&hpc_variant_copy, nullptr};
static const struct hpc_variant *const *const lists[] = {hpc_variants, copy};
#endif

static void expect(bool right, const char *what)
{
    if (right)
        return;
    fprintf(stderr, "launch: %s: %s\n", what, cudaGetErrorString(cudaGetLastError()));
    exit(1);
}

__global__ void mark_kernel()
{
}

/* The arrays, on the device, and the mask here. */
struct arrays {
    float *x, *w, *y;
    std::vector<float> mask;
};

static arrays make_arrays(size_t n, int taps)
{
    arrays a;
    std::vector<float> x(n);
    a.mask.resize(taps);
    uint32_t state = 1;
    for (float &v : x)
        v = (state = state * 1664525 + 1013904223) / 4294967296.0f - 0.5f;
    for (float &v : a.mask)
        v = (state = state * 1664525 + 1013904223) / 4294967296.0f - 0.5f;
    expect(cudaMalloc(&a.x, n * sizeof(float)) == cudaSuccess &&
               cudaMalloc(&a.y, n * sizeof(float)) == cudaSuccess &&
               cudaMalloc(&a.w, taps * sizeof(float)) == cudaSuccess,
           "cudaMalloc");
    cudaMemcpy(a.x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(a.w, a.mask.data(), taps * sizeof(float), cudaMemcpyHostToDevice);
    return a;
}

static void launch(const struct hpc_variant *v, const conv1d_problem &problem)
{
    arrays a = make_arrays(problem.n, 2 * problem.radius + 1);
    const void *fixed[CONV1D_N_IN] = {nullptr, a.mask.data()}, *in[CONV1D_N_IN] = {a.x, a.w};
    void *out[CONV1D_N_OUT] = {a.y}, *state;
    const hpc_env env = {1, 0, fixed};
    expect(v->open(&env, &problem, &state) == 0, v->name);
    printf("%s %d\n", v->name, 2 * problem.radius + 1);
    mark_kernel<<<1, 1>>>();
    expect(v->run(state, in, out) == 0 && cudaDeviceSynchronize() == cudaSuccess, v->name);
    v->close(state);
    cudaFree(a.x);
    cudaFree(a.w);
    cudaFree(a.y);
}

int main(int argc, char **argv)
{
    expect(argc > 3, "usage: launch N THREADS MASK ..");
    for (const struct hpc_variant *const *v : lists)
        for (; *v; v++)
            for (int i = 3; i < argc; i++) {
                conv1d_problem problem = {strtoull(argv[1], nullptr, 10), atoi(argv[i]) / 2,
                                          atoi(argv[2])};
                launch(*v, problem);
            }
    return 0;
}
