#include "benchmarks/convpool/gpu_case.hpp"

#include <cuda_fp16.h>
#include <math.h>

namespace
{

const int SAMPLES = 4096, REDUCERS = 128;

struct sample_sums {
    double y, absolute, squares, got;
};

/* The sums of op_oracle.c for sample blockIdx.x, whose place is (n, k, u, v), and what stands
 * there. */
template <class T>
__global__ void oracle_kernel(struct convpool_problem p, const T *x, const T *w, const T *y,
                              const int4 *places, const size_t *indices, sample_sums *sums)
{
    __shared__ double s_sum[3][REDUCERS];
    const int4 at = places[blockIdx.x];
    const struct conv2d_problem q = p.conv;
    const int pool = p.pool, all = pool * pool * q.c * q.r * q.s;
    double sum[3] = {0, 0, 0};
    for (int i = threadIdx.x; i < all; i += REDUCERS) {
        const int s = i % q.s, r = i / q.s % q.r, c = i / q.s / q.r % q.c;
        const int b = i / q.s / q.r / q.c % pool, a = i / q.s / q.r / q.c / pool;
        const int h = (at.z * pool + a) * q.stride + r - q.pad;
        const int v = (at.w * pool + b) * q.stride + s - q.pad;
        if (h < 0 || h >= q.h || v < 0 || v >= q.w)
            continue;
        const double product = (double)(float)x[conv2d_x_at(&q, at.x, c, h, v)] *
                               (double)(float)w[conv2d_w_at(&q, at.y, c, r, s)];
        sum[0] += product;
        sum[1] += fabs(product);
        sum[2] += product * product;
    }
    for (int k = 0; k < 3; k++)
        s_sum[k][threadIdx.x] = sum[k];
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    for (int i = 1; i < REDUCERS; i++)
        for (int k = 0; k < 3; k++)
            sum[k] += s_sum[k][i];
    const double share = 1.0 / (pool * pool);
    sums[blockIdx.x] = {share * sum[0], share * sum[1], share * share * sum[2],
                        (double)(float)y[indices[blockIdx.x]]};
}

template <class T> __global__ void count_bad_kernel(const T *y, size_t count, unsigned *bad)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && !(fabsf((float)y[i]) <= 3.4e38f))
        atomicAdd(bad, 1u);
}

template <class T> T *allocate(size_t count)
{
    void *p = NULL;
    BENCH_CUDA(cudaMalloc(&p, count * sizeof(T)));
    return (T *)p;
}

} // namespace

/* Which elements are looked at: all of a small output, else drawn ones. */
static void draw_places(const struct convpool_problem *p, std::vector<int4> *places,
                        std::vector<size_t> *indices)
{
    const int rows = convpool_rows(p), columns = convpool_columns(p);
    const size_t count = convpool_y_count(p);
    unsigned long long state = 88172645463325252ull;
    for (size_t i = 0; i < count && (int)i < SAMPLES; i++) {
        size_t at = i;
        if (count > (size_t)SAMPLES) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            at = state % count;
        }
        const int v = at % columns, u = at / columns % rows, k = at / columns / rows % p->conv.k;
        const int n = at / columns / rows / p->conv.k;
        places->push_back(make_int4(n, k, u, v));
        indices->push_back(conv_y_index(p, n, k, u, v));
    }
}

template <class T>
static void sample(const gpu_case *g, int slot, int n, const int4 *places, const size_t *indices,
                   sample_sums *sums, unsigned *bad)
{
    const T *y = (const T *)g->y[slot];
    const size_t count = convpool_y_count(&g->c.p);
    oracle_kernel<<<n, REDUCERS>>>(g->c.p, (const T *)g->x[slot], (const T *)g->w[slot], y, places,
                                   indices, sums);
    BENCH_CUDA(cudaGetLastError());
    count_bad_kernel<<<(int)((count + 255) / 256), 256>>>(y, count, bad);
    BENCH_CUDA(cudaGetLastError());
}

static gpu_errors judge(const gpu_case *g, const std::vector<sample_sums> &sums, bool finite)
{
    const struct convpool_problem *p = &g->c.p;
    gpu_errors e = {0, 0, 0, finite, finite};
    double off = 0, units = 0, relative = 0, each = 0;
    for (const sample_sums &s : sums) {
        const double error = fabs(s.got - s.y), unit = conv_unit(p, s.squares);
        if (!(error <= conv_bound(p, s.y, s.absolute)))
            e.each = false;
        if (s.absolute > 0) {
            e.most = fmax(e.most, error / s.absolute);
            relative += error / s.absolute * (error / s.absolute);
            each += error / unit * (error / unit);
        }
        off += error * error;
        units += unit * unit;
    }
    e.rms = sqrt(relative / (double)sums.size());
    e.units = sqrt(each / (double)sums.size());
    if (p->conv.type == CONV_F32 && g->c.values != CONV_POSITIVE && e.units >= 4)
        e.each = false;
    e.normwise = finite && sqrt(off) <= 64 * sqrt(units);
    return e;
}

gpu_errors gpu_case_check(const gpu_case *g, int slot)
{
    std::vector<int4> places;
    std::vector<size_t> indices;
    draw_places(&g->c.p, &places, &indices);
    const int n = (int)places.size();
    std::vector<sample_sums> sums(n);
    unsigned bad = 0;
    int4 *d_places = allocate<int4>(n);
    size_t *d_indices = allocate<size_t>(n);
    sample_sums *d_sums = allocate<sample_sums>(n);
    unsigned *d_bad = allocate<unsigned>(1);
    BENCH_CUDA(cudaMemcpy(d_places, places.data(), n * sizeof(int4), cudaMemcpyHostToDevice));
    BENCH_CUDA(cudaMemcpy(d_indices, indices.data(), n * sizeof(size_t), cudaMemcpyHostToDevice));
    BENCH_CUDA(cudaMemset(d_bad, 0, sizeof bad));
    BENCH_CUDA(cudaDeviceSynchronize());
    if (g->c.p.conv.type == CONV_F16)
        sample<__half>(g, slot, n, d_places, d_indices, d_sums, d_bad);
    else
        sample<float>(g, slot, n, d_places, d_indices, d_sums, d_bad);
    BENCH_CUDA(cudaDeviceSynchronize());
    BENCH_CUDA(cudaMemcpy(sums.data(), d_sums, n * sizeof(sample_sums), cudaMemcpyDeviceToHost));
    BENCH_CUDA(cudaMemcpy(&bad, d_bad, sizeof bad, cudaMemcpyDeviceToHost));
    cudaFree(d_places);
    cudaFree(d_indices);
    cudaFree(d_sums);
    cudaFree(d_bad);
    return judge(g, sums, bad == 0);
}
