#include "benchmarks/convpool/gpu_case.hpp"

#include <cuda_fp16.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bench_check(int error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorName((cudaError_t)error));
    exit(EXIT_FAILURE);
}

namespace
{

const int MOST_SLOTS = 2000, PART = 40;

__device__ unsigned mix(unsigned a, unsigned b)
{
    unsigned h = a * 0x9e3779b1u ^ b * 0x85ebca77u;
    h = (h ^ h >> 16) * 0x7feb352du;
    h = (h ^ h >> 15) * 0x846ca68bu;
    return h ^ h >> 16;
}

__device__ float uniform(unsigned a, unsigned b) /* in (0, 1] */
{
    return ((mix(a, b) >> 8) + 1) * 0x1p-24f;
}

/* Element i: normal (Box and Muller), its share of zeros, its channel's scale. */
template <class T>
__global__ void fill_kernel(T *data, size_t count, unsigned seed, float deviation, int values,
                            float sparsity, size_t channel_step, int channels, int most)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const unsigned key = mix(seed, (unsigned)(i >> 32)), low = (unsigned)i;
    float v = sqrtf(-2 * logf(uniform(key, low))) * cospif(2 * uniform(key + 1, low)) * deviation;
    if (values == CONV_POSITIVE)
        v = fabsf(v);
    if (values == CONV_SCALED)
        v = ldexpf(v,
                   (int)(mix(seed + 3, (unsigned)(i / channel_step % channels)) % (2 * most + 1)) -
                       most);
    if (uniform(key + 2, low) <= sparsity)
        v = 0;
    data[i] = T(v);
}

int blocks_of(size_t count)
{
    return (int)((count + 255) / 256);
}

template <class T>
void fill(void *data, size_t count, unsigned seed, float deviation, int values, float sparsity,
          size_t step, int channels)
{
    const int most = sizeof(T) == 2 ? 3 : 12;
    fill_kernel<<<blocks_of(count), 256>>>((T *)data, count, seed, deviation, values, sparsity,
                                           step, channels, most);
    BENCH_CUDA(cudaGetLastError());
}

void fill_any(const gpu_case *g, void *data, size_t count, unsigned seed, float deviation,
              int values, float sparsity)
{
    const struct conv2d_problem *p = &g->c.p.conv;
    const size_t step = p->layout == CONV_NHWC ? 1 : (size_t)p->h * p->w;
    if (p->type == CONV_F16)
        fill<__half>(data, count, seed, deviation, values, sparsity, step, p->c);
    else
        fill<float>(data, count, seed, deviation, values, sparsity, step, p->c);
}

void *allocate(size_t bytes)
{
    void *p = NULL;
    BENCH_CUDA(cudaMalloc(&p, bytes));
    return p;
}

bool parse(const struct hpc_op *op, const std::string &words, struct conv_case *c)
{
    struct hpc_params params = {};
    struct hpc_error err = {};
    std::string word;
    bool good = true;
    for (size_t i = 0; i <= words.size() && good; i++) {
        if (i < words.size() && words[i] != ' ') {
            word += words[i];
        } else if (!word.empty()) {
            good = hpc_params_set_word(&params, word.c_str(), words.c_str(), &err);
            word.clear();
        }
    }
    good = good && op->parse(&params, c, &err);
    if (!good)
        hpc_report(&err);
    return good;
}

void fill_weights(gpu_case *g, void *w, int values)
{
    const struct conv2d_problem *p = &g->c.p.conv;
    fill_any(g, w, conv2d_w_count(p), 7, sqrtf(2.0f / (p->c * p->r * p->s)), values, 0);
}

} // namespace

void gpu_case_open(gpu_case *g, const struct hpc_op *op, const std::string &words, const void *map,
                   int wanted)
{
    struct hpc_layout layout;
    g->op = op;
    if (!parse(op, words, &g->c))
        exit(HPC_EXIT_USAGE);
    op->layout(&g->c, &layout);
    const size_t each = hpc_type_bytes(layout.in[0].type);
    g->x_bytes = layout.in[CONV2D_X].count * each;
    g->w_bytes = layout.in[CONV2D_W].count * each;
    g->y_bytes = layout.out[CONV2D_Y].count * each;
    const double slots = ceil(COLD_BYTES / (double)(g->x_bytes + g->w_bytes + g->y_bytes));
    g->slots = wanted ? wanted : slots < 2 ? 2 : slots > MOST_SLOTS ? MOST_SLOTS : (int)slots;
    g->parts = g->slots >= 2 * PART ? g->slots / PART : 1;
    g->slots = g->parts > 1 ? g->parts * PART : g->slots;
    g->nodes = g->parts > 1 ? PART : g->slots < 20 ? 20 : g->slots;
    g->host_w.resize(g->w_bytes);
    for (int i = 0; i < g->slots; i++) {
        g->x.push_back(allocate(g->x_bytes));
        g->w.push_back(allocate(g->w_bytes));
        g->y.push_back(allocate(g->y_bytes));
        if (map)
            BENCH_CUDA(cudaMemcpy(g->x[i], map, g->x_bytes, cudaMemcpyHostToDevice));
        else
            fill_any(g, g->x[i], layout.in[CONV2D_X].count, 1000 + i, 1, g->c.values,
                     (float)g->c.sparsity);
        fill_weights(g, g->w[i], g->c.values);
    }
    BENCH_CUDA(cudaDeviceSynchronize());
    BENCH_CUDA(cudaMemcpy(g->host_w.data(), g->w[0], g->w_bytes, cudaMemcpyDeviceToHost));
    gpu_case_poison(g);
}

void gpu_case_close(gpu_case *g)
{
    for (int i = 0; i < g->slots; i++) {
        BENCH_CUDA(cudaFree(g->x[i]));
        BENCH_CUDA(cudaFree(g->w[i]));
        BENCH_CUDA(cudaFree(g->y[i]));
    }
    *g = gpu_case();
}

void gpu_case_refill(gpu_case *g, int values)
{
    fill_any(g, g->x[0], conv2d_x_count(&g->c.p.conv), 77 + values, 1, values,
             (float)g->c.sparsity);
    fill_weights(g, g->w[0], values == CONV_POSITIVE ? CONV_POSITIVE : CONV_NORMAL);
    BENCH_CUDA(cudaDeviceSynchronize());
    BENCH_CUDA(cudaMemcpy(g->host_w.data(), g->w[0], g->w_bytes, cudaMemcpyDeviceToHost));
}

void gpu_case_poison(gpu_case *g)
{
    for (int i = 0; i < g->slots; i++)
        BENCH_CUDA(cudaMemset(g->y[i], 0xff, g->y_bytes));
    BENCH_CUDA(cudaDeviceSynchronize());
}

double gpu_case_floor(const gpu_case *g)
{
    const struct convpool_problem *p = &g->c.p;
    const double peak = p->conv.type == CONV_F16    ? 740e12
                        : p->conv.type == CONV_TF32 ? 367e12
                                                    : 63.6e12;
    const double flops = 2.0 * (double)convpool_y_count(p) * p->conv.c * p->conv.r * p->conv.s;
    const double bytes = (double)(g->x_bytes + g->w_bytes + g->y_bytes);
    return 1.2e-6 + fmax(bytes / 4.3e12, flops / peak);
}
