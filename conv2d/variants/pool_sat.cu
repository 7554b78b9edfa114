/* convpool/pool_sat: the interchange as it was first proposed (Kasagi, Tabaru, Tamura, 2017;
 * [Suita], section 2.3).
 *
 * Changes from pool_cudnn_direct: the sums x * alpha come from four corners of the summed area
 * table of each channel, three additions whatever the pool. Any layout and type.
 * Why it wins for large pools only: elsewhere a direct sum has few terms.
 * What limits it: the table's passes over memory, and accuracy. Corners are sums over a whole
 * map and cancel, so that the table is in double, twice (for halves four times) the bytes of x. */
#include "conv2d/variants/pool_convolution.h"
#include "conv2d/variants/pool_linear.h"

namespace
{

/* Where row i, column j of channel c of image n lies, and its channel's rows and columns. */
__device__ double *table_at(const struct conv2d_problem &p, double *table, int n, int c, int i,
                            int j)
{
    return table + conv2d_x_at(&p, n, c, i, j);
}

/* Column-wise prefix sums: a thread for each column of each channel. */
template <class T>
__global__ void columns_kernel(struct conv2d_problem p, const T *x, double *table)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (size_t)p.n * p.c * p.w)
        return;
    const bool nchw = p.layout == CONV_NCHW;
    const int c = nchw ? i / p.w % p.c : i % p.c, j = nchw ? i % p.w : i / p.c % p.w;
    const int n = i / ((size_t)p.c * p.w);
    double sum = 0;
    for (int row = 0; row < p.h; row++) {
        sum += (double)(float)x[conv2d_x_at(&p, n, c, row, j)];
        *table_at(p, table, n, c, row, j) = sum;
    }
}

/* Then row-wise, in place: a warp for each row of each channel, 32 columns at a time. */
__global__ void rows_kernel(struct conv2d_problem p, double *table)
{
    const size_t row = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    if (row >= (size_t)p.n * p.c * p.h)
        return;
    const int i = row % p.h, c = row / p.h % p.c, n = row / p.h / p.c;
    double before = 0;
    for (int base = 0; base < p.w; base += 32) {
        const int j = base + lane;
        double sum = j < p.w ? *table_at(p, table, n, c, i, j) : 0;
        for (int step = 1; step < 32; step *= 2) {
            const double left = __shfl_up_sync(0xffffffffu, sum, step);
            sum += lane >= step ? left : 0;
        }
        sum += before;
        if (j < p.w)
            *table_at(p, table, n, c, i, j) = sum;
        before = __shfl_sync(0xffffffffu, sum, 31);
    }
}

/* x * alpha, as direct_sum_kernel orders it, from the table. */
template <class T>
__global__ void corners_kernel(struct conv2d_problem p, struct conv2d_problem q, int pool,
                               double *table, T *sums)
{
    const size_t index = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= conv2d_x_count(&q))
        return;
    const bool nchw = q.layout == CONV_NCHW;
    size_t i = index;
    int c = 0;
    if (!nchw)
        c = i % q.c, i /= q.c;
    const int v = i % q.w - p.pad, u = i / q.w % q.h - p.pad;
    i /= (size_t)q.w * q.h;
    if (nchw)
        c = i % q.c, i /= q.c;
    const int n = (int)i, top = max(u, 0) - 1, left = max(v, 0) - 1;
    const int bottom = min(u + pool, p.h) - 1, right = min(v + pool, p.w) - 1;
    double sum = 0;
    if (bottom > top && right > left) {
        sum = *table_at(p, table, n, c, bottom, right);
        sum -= top >= 0 ? *table_at(p, table, n, c, top, right) : 0;
        sum -= left >= 0 ? *table_at(p, table, n, c, bottom, left) : 0;
        sum += top >= 0 && left >= 0 ? *table_at(p, table, n, c, top, left) : 0;
    }
    sums[index] = T((float)(sum / (pool * pool)));
}

struct sat {
    pool_convolution *convolution;
    struct convpool_problem p;
    double *table;
    char *sums;
};

template <class T> void sum_by_table(const sat *s, const void *x)
{
    const struct conv2d_problem p = s->p.conv, q = summed_problem(&s->p);
    const size_t maps = (size_t)p.n * p.c;
    columns_kernel<<<gpu_blocks(maps * p.w, 128), 128>>>(p, (const T *)x, s->table);
    rows_kernel<<<gpu_blocks(maps * p.h, 8), 256>>>(p, s->table);
    corners_kernel<<<gpu_blocks(conv2d_x_count(&q), 256), 256>>>(p, q, s->p.pool, s->table,
                                                                 (T *)s->sums);
    CUDA(cudaGetLastError());
}

int sat_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct convpool_problem *p = (const struct convpool_problem *)problem;
    const struct conv2d_problem q = summed_problem(p);
    (void)env;
    pool_convolution *convolution = shared<pool_convolution>::open(q);
    if (!convolution)
        return 1;
    *state = new sat{convolution, *p, gpu_alloc<double>(conv2d_x_count(&p->conv)),
                     gpu_alloc<char>(conv2d_x_count(&q) * conv_type_bytes(q.type))};
    return 0;
}

int sat_run(void *state, const void *const in[], void *const out[])
{
    const sat *s = (const sat *)state;
    if (s->p.conv.type == CONV_F16)
        sum_by_table<__half>(s, in[CONV2D_X]);
    else
        sum_by_table<float>(s, in[CONV2D_X]);
    s->convolution->run(s->sums, in[CONV2D_W], out[CONV2D_Y]);
    return 0;
}

void sat_close(void *state)
{
    sat *s = (sat *)state;
    CUDA(cudaFree(s->table));
    CUDA(cudaFree(s->sums));
    shared<pool_convolution>::close(s->convolution);
    delete s;
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "convpool", "pool_sat", sat_open, sat_run, sat_close,
};
