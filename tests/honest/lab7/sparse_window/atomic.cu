/* The outputs begin as 0, and every launch adds to them by atomics. */
#include <stdlib.h>

#include "conv2d/conv2d.h"

/* One map x [H][W] with one filter w [R][S], into y [P][Q]. */
__global__ void sparse_window_kernel(struct conv2d_problem p, const float *x, const float *w,
                                     float *y, bool add)
{
    extern __shared__ float memory[];
    const int columns = conv2d_columns(&p), taps = p.r * p.s;
    const int row = blockIdx.x, column = blockIdx.y * blockDim.x + threadIdx.x;
    float *f_data = memory + threadIdx.x * taps, *k_data = f_data + blockDim.x * taps;
    int *ptr = (int *)(memory + 2 * blockDim.x * taps) + threadIdx.x;
    if (column >= columns)
        return;
    int count = 0;
    for (int place = 0; place < taps; place++) {
        const int h = row * p.stride - p.pad + place / p.s;
        const int v = column * p.stride - p.pad + place % p.s;
        const bool inside = h >= 0 && h < p.h && v >= 0 && v < p.w;
        const float value = inside ? x[h * p.w + v] : 0;
        if (value != 0) {
            f_data[count] = value;
            k_data[count] = w[place];
            count++;
        }
    }
    *ptr = count > 0 ? count : -1;
    float sum = 0;
    if (*ptr != -1)
        for (int i = 0; i < *ptr; i++)
            sum += f_data[i] * k_data[i];
    (void)add;
    atomicAdd(&y[row * columns + column], sum);
}

static int sparse_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    *state = (void *)problem; /* lives until close() */
    return 0;
}

static int sparse_run(void *state, const void *const in[], void *const out[])
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)state;
    const int rows = conv2d_rows(p), columns = conv2d_columns(p), taps = p->r * p->s;
    const int bytes = 2 * taps * sizeof(float) + sizeof(int); /* a thread */
    int threads = columns < 1024 ? columns : 1024;
    if (threads * bytes > 48 * 1024)
        threads = 48 * 1024 / bytes;
    const dim3 grid(rows, (columns + threads - 1) / threads);
    cudaMemsetAsync(out[CONV2D_Y], 0, sizeof(float) * p->n * p->k * rows * columns, 0);
    for (int n = 0; n < p->n; n++)
        for (int k = 0; k < p->k; k++)
            for (int c = 0; c < p->c; c++)
                sparse_window_kernel<<<grid, threads, threads * bytes>>>(
                    *p, (const float *)in[CONV2D_X] + (n * p->c + c) * p->h * p->w,
                    (const float *)in[CONV2D_W] + (k * p->c + c) * taps,
                    (float *)out[CONV2D_Y] + (n * p->k + k) * rows * columns, c > 0);
    return cudaGetLastError() != cudaSuccess;
}

static void sparse_close(void *state)
{
    (void)state;
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,     "conv2d",   "sparse_window",
                                                   sparse_open, sparse_run, sparse_close};
