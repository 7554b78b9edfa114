/* Convolution and average pooling changing places ([Suita], formulas 4 and 5): the two ways to make
 * one convolution with stride `pool` of the two steps, and its kernels.
 *
 *   fused   filters W * alpha of (R + pool - 1) x (S + pool - 1), on x as it is: made once
 *   summed  x * alpha ("direct sum", [Suita], figure 3), with the filters as they are: made each
 * time
 *
 * Types: T is float or __half; sums are floats, and what is stored is rounded to T once. */
#ifndef HPC_CONV2D_POOL_LINEAR_H
#define HPC_CONV2D_POOL_LINEAR_H

#include <cuda_fp16.h>

#include "conv2d/convpool.h"
#include "conv2d/variants/gpu.h"

namespace
{

/* The convolution whose filters are fused. */
inline struct conv2d_problem fused_problem(const struct convpool_problem *p)
{
    struct conv2d_problem q = p->conv;
    q.r += p->pool - 1;
    q.s += p->pool - 1;
    q.stride = p->pool;
    return q;
}

/* The convolution of the sums: rows -pad .. of x * alpha that some output needs, and no padding. */
inline struct conv2d_problem summed_problem(const struct convpool_problem *p)
{
    struct conv2d_problem q = p->conv;
    q.h = (convpool_rows(p) - 1) * p->pool + p->conv.r;
    q.w = (convpool_columns(p) - 1) * p->pool + p->conv.s;
    q.pad = 0;
    q.stride = p->pool;
    return q;
}

/* Filter (k, c), element (i, j) of W * alpha, one thread for each. */
template <class T>
__global__ void fuse_filters_kernel(struct conv2d_problem p, int pool, const T *w, T *fused)
{
    const int rows = p.r + pool - 1, columns = p.s + pool - 1;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (size_t)p.k * p.c * rows * columns)
        return;
    const int column = i % columns, row = i / columns % rows;
    const int c = i / columns / rows % p.c, k = i / columns / rows / p.c;
    float sum = 0;
    for (int r = max(0, row - pool + 1); r <= min(p.r - 1, row); r++)
        for (int s = max(0, column - pool + 1); s <= min(p.s - 1, column); s++)
            sum += (float)w[conv2d_w_at(&p, k, c, r, s)];
    struct conv2d_problem q = p;
    q.r = rows, q.s = columns;
    fused[conv2d_w_at(&q, k, c, row, column)] = T(sum / (pool * pool));
}

/* Element (n, c, u, v) of x * alpha, u and v counted from -pad, one thread for each. POOL > 0 is
 * known to the compiler; 0: any. */
template <class T, int POOL>
__global__ void direct_sum_kernel(struct conv2d_problem p, struct conv2d_problem q, int any_pool,
                                  const T *x, T *sums)
{
    const int pool = POOL ? POOL : any_pool;
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= conv2d_x_count(&q))
        return;
    const bool nhwc = q.layout == CONV_NHWC;
    const int plane = q.h * q.w, inner = nhwc ? i % q.c : i % plane;
    const int outer = nhwc ? i / q.c % plane : i / plane % q.c;
    const int n = i / ((size_t)plane * q.c), c = nhwc ? inner : outer;
    const int u = (nhwc ? outer : inner) / q.w - p.pad, v = (nhwc ? outer : inner) % q.w - p.pad;
    float sum = 0;
#pragma unroll
    for (int a = 0; a < pool; a++)
#pragma unroll
        for (int b = 0; b < pool; b++)
            if (u + a >= 0 && u + a < p.h && v + b >= 0 && v + b < p.w)
                sum += (float)x[conv2d_x_at(&p, n, c, u + a, v + b)];
    sums[i] = T(sum / (pool * pool));
}

template <class T>
inline void direct_sum(const struct convpool_problem *p, const void *x, void *sums)
{
    const struct conv2d_problem q = summed_problem(p);
    const int blocks = gpu_blocks(conv2d_x_count(&q), 256);
    if (p->pool == 2)
        direct_sum_kernel<T, 2><<<blocks, 256>>>(p->conv, q, 2, (const T *)x, (T *)sums);
    else
        direct_sum_kernel<T, 0><<<blocks, 256>>>(p->conv, q, p->pool, (const T *)x, (T *)sums);
    CUDA(cudaGetLastError());
}

/* The fused filters of the host's, on the device: done once, not a part of any timing. */
inline void *fuse_filters(const struct convpool_problem *p, const void *host)
{
    const struct conv2d_problem q = fused_problem(p);
    const size_t bytes = conv_type_bytes(q.type), count = conv2d_w_count(&q);
    void *w = gpu_copy(host, conv2d_w_count(&p->conv) * bytes),
         *fused = gpu_alloc<char>(count * bytes);
    const int blocks = gpu_blocks(count, 256);
    if (q.type == CONV_F16)
        fuse_filters_kernel<<<blocks, 256>>>(p->conv, p->pool, (const __half *)w, (__half *)fused);
    else
        fuse_filters_kernel<<<blocks, 256>>>(p->conv, p->pool, (const float *)w, (float *)fused);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaFree(w));
    return fused;
}

} // namespace

#endif
