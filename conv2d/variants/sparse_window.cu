/* conv2d/sparse_window: skipping zeros, as [Xu] prints it, sections IV-A and IV-B.
 *
 * Changes from window_format: the format of one feature map stays in shared memory, where a sparse
 * product follows. One launch takes one map and one filter; a block has one row of outputs
 * ("convolution block"), a thread one output ("convolution window").
 *
 *   f_data[thread][..]  the window's values that are not zero
 *   k_data[thread][..]  beside each, the value of the filter that it is multiplied with
 *   ptr[thread]         how many, or -1 where there is none
 *
 * Layout NCHW, floats.
 * What limits it: launches, C K for C channels and K filters, and shared memory. Skipping once wins
 * nothing: to store an entry costs more than the multiplication that it saves, since a window's
 * format serves one filter, and every filter compresses anew. */
#include "conv2d/variants/gpu.h"

#ifndef COMPRESSIONS
#define COMPRESSIONS                                                                               \
    1 /* benchmarks/sparse builds it with 2 too: the difference is what one costs */
#endif

namespace
{

/* Algorithm 1. Where window (row, column) of map x starts, as the index of a padded map. */
__device__ void store_window(const struct conv2d_problem &p, const float *x, const float *w,
                             int row, int column, float *f_data, float *k_data, int *ptr)
{
    int count = 0;
    for (int i = 0; i < p.r; i++)
        for (int j = 0; j < p.s; j++) {
            const int h = row * p.stride + i - p.pad, v = column * p.stride + j - p.pad;
            const bool inside = h >= 0 && h < p.h && v >= 0 && v < p.w;
            const float value = inside ? x[(size_t)h * p.w + v] : 0;
            if (value != 0) {
                f_data[count] = value;
                k_data[count] = w[i * p.s + j];
                count++;
            }
        }
    *ptr = count > 0 ? count : -1;
}

/* Algorithm 2. */
__device__ float multiply_window(const float *f_data, const float *k_data, int ptr)
{
    float sum = 0;
    if (ptr != -1)
        for (int i = 0; i < ptr; i++)
            sum += f_data[i] * k_data[i];
    return sum;
}

/* y (+)= map x with filter w: gridDim.y parts of blockDim.x outputs make a row. */
__global__ void sparse_window_kernel(struct conv2d_problem p, const float *x, const float *w,
                                     float *y, bool add)
{
    extern __shared__ float s_memory[];
    const int taps = p.r * p.s, columns = conv2d_columns(&p);
    const int row = blockIdx.x, column = blockIdx.y * blockDim.x + threadIdx.x;
    float *f_data = s_memory + (size_t)threadIdx.x * taps;
    float *k_data = f_data + (size_t)blockDim.x * taps;
    int *ptr = (int *)(s_memory + (size_t)2 * blockDim.x * taps) + threadIdx.x;
    if (column >= columns)
        return;
    for (int i = 0; i < COMPRESSIONS; i++) {
        store_window(p, x, w, row, column, f_data, k_data, ptr);
        asm volatile("" ::: "memory"); /* the second one is not left out */
    }
    const float sum = multiply_window(f_data, k_data, *ptr);
    float *out = y + (size_t)row * columns + column;
    *out = add ? *out + sum : sum;
}

size_t window_bytes(const struct conv2d_problem *p)
{
    return 2 * sizeof(float) * p->r * p->s + sizeof(int);
}

int sparse_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)problem;
    (void)env;
    *state = (void *)problem;
    return p->layout != CONV_NCHW || p->type == CONV_F16;
}

int sparse_run(void *state, const void *const in[], void *const out[])
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)state;
    const int rows = conv2d_rows(p), columns = conv2d_columns(p);
    const int most = (int)(48 * 1024 / window_bytes(p)); /* at least 1: r, s <= 64 */
    int threads = columns < 1024 ? columns : 1024;
    threads = threads < most ? threads : most;
    const dim3 grid(rows, gpu_blocks(columns, threads));
    for (int n = 0; n < p->n; n++)
        for (int k = 0; k < p->k; k++)
            for (int c = 0; c < p->c; c++)
                sparse_window_kernel<<<grid, threads, threads * window_bytes(p)>>>(
                    *p, (const float *)in[CONV2D_X] + ((size_t)n * p->c + c) * p->h * p->w,
                    (const float *)in[CONV2D_W] + ((size_t)k * p->c + c) * p->r * p->s,
                    (float *)out[CONV2D_Y] + ((size_t)n * p->k + k) * rows * columns, c > 0);
    CUDA(cudaGetLastError());
    return 0;
}

void sparse_close(void *state)
{
    (void)state;
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "conv2d", "sparse_window", sparse_open, sparse_run, sparse_close,
};
