/* conv2d/csr: the comparison that [Xu] makes: the windows of x (im2col's matrix, a row for each
 * window) in compressed sparse rows, in global memory, then a sparse product with the filters.
 *
 *   row[windows + 1]  where each window's entries start
 *   tap[], value[]    which of C R S, and the value
 *
 * Changes from im2col_cublas: zeros are neither stored nor multiplied. Room is kept for a matrix
 * without zeros. Layout NCHW, floats.
 * What limits it, against sparse_blocked: the matrix is written and read again, its size is known
 * only after a counting pass and a sum over all rows, and x is read twice. Four launches. */
#include "conv2d/variants/filter_lanes.h"

namespace
{

enum { LANES = 32, SCAN = 1024 };

struct csr {
    struct conv2d_problem p;
    float *weights; /* [C R S][across] */
    float *value;
    int *tap, *row;
    int across, windows;
};

/* What stands in window `window` (of all images) for tap i of C R S. */
__device__ float entry(const struct conv2d_problem &p, const float *x, int window, int i)
{
    const int columns = conv2d_columns(&p), pixels = conv2d_rows(&p) * columns;
    const int n = window / pixels, row = window % pixels / columns, column = window % columns;
    const int c = i / (p.r * p.s), r = i / p.s % p.r, s = i % p.s;
    const int h = row * p.stride + r - p.pad, v = column * p.stride + s - p.pad;
    const bool inside = h >= 0 && h < p.h && v >= 0 && v < p.w;
    return inside ? x[(((size_t)n * p.c + c) * p.h + h) * p.w + v] : 0;
}

/* A warp for each window: row[window] = how many entries are not zero. */
__global__ void count_kernel(struct csr m, const float *x)
{
    const int window = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    const int depth = m.p.c * m.p.r * m.p.s;
    int count = 0;
    if (window >= m.windows)
        return;
    for (int base = 0; base < depth; base += 32) {
        const float value = base + lane < depth ? entry(m.p, x, window, base + lane) : 0;
        count += __popc(__ballot_sync(0xffffffffu, value != 0));
    }
    if (lane == 0)
        m.row[window] = count;
}

/* One block: counts become starts; row[windows] the sum. */
__global__ void scan_kernel(struct csr m)
{
    __shared__ int s_sum[SCAN];
    const int each = (m.windows + SCAN - 1) / SCAN, t = threadIdx.x;
    const int begin = min(m.windows, t * each), end = min(m.windows, begin + each);
    int sum = 0;
    for (int i = begin; i < end; i++)
        sum += m.row[i];
    s_sum[t] = sum;
    __syncthreads();
    for (int step = 1; step < SCAN; step *= 2) {
        const int before = t >= step ? s_sum[t - step] : 0;
        __syncthreads();
        s_sum[t] += before;
        __syncthreads();
    }
    int start = s_sum[t] - sum;
    for (int i = begin; i < end; i++) {
        const int count = m.row[i];
        m.row[i] = start;
        start += count;
    }
    if (t == SCAN - 1)
        m.row[m.windows] = s_sum[t];
}

__global__ void fill_kernel(struct csr m, const float *x)
{
    const int window = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    const int depth = m.p.c * m.p.r * m.p.s;
    if (window >= m.windows)
        return;
    int at = m.row[window];
    for (int base = 0; base < depth; base += 32) {
        const float value = base + lane < depth ? entry(m.p, x, window, base + lane) : 0;
        const unsigned found = __ballot_sync(0xffffffffu, value != 0);
        if (value != 0) {
            const int to = at + __popc(found & ((1u << lane) - 1));
            m.value[to] = value;
            m.tap[to] = base + lane;
        }
        at += __popc(found);
    }
}

/* A warp for each window and 32 filters, a filter for each lane. */
__global__ void multiply_kernel(struct csr m, float *y)
{
    const int window = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    const int k = blockIdx.y * LANES + threadIdx.x % 32;
    const int pixels = conv2d_rows(&m.p) * conv2d_columns(&m.p);
    if (window >= m.windows)
        return;
    float sum = 0;
    for (int i = m.row[window]; i < m.row[window + 1]; i++)
        sum += m.value[i] * m.weights[(size_t)m.tap[i] * m.across + k];
    if (k < m.p.k)
        y[((size_t)(window / pixels) * m.p.k + k) * pixels + window % pixels] = sum;
}

int csr_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)problem;
    const double windows = (double)p->n * conv2d_rows(p) * conv2d_columns(p);
    const double entries = windows * p->c * p->r * p->s;
    if (p->layout != CONV_NCHW || p->type == CONV_F16 || entries >= 0x1p31)
        return 1;
    struct csr *m = new csr();
    m->p = *p;
    m->windows = (int)windows;
    m->across = filters_padded(p, LANES);
    m->weights = filters_to_lanes(p, env->fixed[CONV2D_W], LANES);
    m->value = gpu_alloc<float>((size_t)entries);
    m->tap = gpu_alloc<int>((size_t)entries);
    m->row = gpu_alloc<int>((size_t)windows + 1);
    *state = m;
    return !m->weights;
}

int csr_run(void *state, const void *const in[], void *const out[])
{
    const struct csr *m = (const struct csr *)state;
    const float *x = (const float *)in[CONV2D_X];
    const int blocks = gpu_blocks(m->windows, 8);
    count_kernel<<<blocks, 256>>>(*m, x);
    scan_kernel<<<1, SCAN>>>(*m);
    fill_kernel<<<blocks, 256>>>(*m, x);
    multiply_kernel<<<dim3(blocks, m->across / LANES), 256>>>(*m, (float *)out[CONV2D_Y]);
    CUDA(cudaGetLastError());
    return 0;
}

void csr_close(void *state)
{
    struct csr *m = (struct csr *)state;
    CUDA(cudaFree(m->weights));
    CUDA(cudaFree(m->value));
    CUDA(cudaFree(m->tap));
    CUDA(cudaFree(m->row));
    delete m;
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "conv2d", "csr", csr_open, csr_run, csr_close,
};
