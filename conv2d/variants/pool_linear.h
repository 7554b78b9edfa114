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

#include "conv2d/convpool.h"
#include "conv2d/variants/pack.h"

namespace
{

enum { SUM_THREADS = 256 };

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

/* x * alpha in NCHW: grid of positions (u, v) of a map of sums, counted from -pad, and maps. POOL >
 * 0 is known to the compiler; 0: any. */
template <class T, int POOL>
__global__ void direct_sum_nchw_kernel(struct conv2d_problem p, struct conv2d_problem q,
                                       int any_pool, const T *x, T *sums)
{
    const int pool = POOL ? POOL : any_pool, at = blockIdx.x * SUM_THREADS + threadIdx.x;
    if (at >= q.h * q.w)
        return;
    const int u = at / q.w - p.pad, v = at % q.w - p.pad;
    for (size_t map = blockIdx.y; map < (size_t)p.n * p.c; map += gridDim.y) {
        const T *from = x + map * p.h * p.w;
        float sum = 0;
#pragma unroll
        for (int a = 0; a < pool; a++)
#pragma unroll
            for (int b = 0; b < pool; b++)
                if (u + a >= 0 && u + a < p.h && v + b >= 0 && v + b < p.w)
                    sum += (float)from[(u + a) * p.w + v + b];
        sums[map * q.h * q.w + at] = T(sum / (pool * pool));
    }
}

/* The same in NHWC, N channels a thread: grid of (u, v, c) of an image's sums, and images. */
template <class T, int POOL, int N>
__global__ void direct_sum_nhwc_kernel(struct conv2d_problem p, struct conv2d_problem q,
                                       int any_pool, const T *x, T *sums)
{
    const int pool = POOL ? POOL : any_pool;
    const unsigned i = blockIdx.x * SUM_THREADS + threadIdx.x;
    const unsigned c = i % (q.c / N) * N, pixel = i / (q.c / N);
    if (pixel >= (unsigned)(q.h * q.w))
        return;
    const int u = (int)(pixel / q.w) - p.pad, v = (int)(pixel % q.w) - p.pad;
    float sum[N] = {};
#pragma unroll
    for (int a = 0; a < pool; a++)
#pragma unroll
        for (int b = 0; b < pool; b++)
            if (u + a >= 0 && u + a < p.h && v + b >= 0 && v + b < p.w) {
                const size_t at = ((size_t)blockIdx.y * p.h + u + a) * p.w + v + b;
                const pack<T, N> value = pack<T, N>::load(x, at * p.c + c);
#pragma unroll
                for (int k = 0; k < N; k++)
                    sum[k] += (float)value.v[k];
            }
    pack<T, N> out;
#pragma unroll
    for (int k = 0; k < N; k++)
        out.v[k] = T(sum[k] / (pool * pool));
    out.store(sums, ((size_t)blockIdx.y * q.h * q.w + pixel) * q.c + c);
}

template <class T, int POOL>
void direct_sum_of(const struct convpool_problem *p, const T *x, T *sums)
{
    enum { N = 16 / sizeof(T) };
    const struct conv2d_problem q = summed_problem(p);
    const size_t maps = (size_t)q.n * q.c, plane = (size_t)q.h * q.w;
    const int packed = channels_packed(q), threads = SUM_THREADS;
    const dim3 nchw(gpu_blocks(plane, threads), maps < 65535 ? (int)maps : 65535);
    const dim3 nhwc(gpu_blocks(plane * (q.c / packed), threads), q.n);
    if (q.layout == CONV_NCHW)
        direct_sum_nchw_kernel<T, POOL><<<nchw, threads>>>(p->conv, q, p->pool, x, sums);
    else if (packed == N)
        direct_sum_nhwc_kernel<T, POOL, N><<<nhwc, threads>>>(p->conv, q, p->pool, x, sums);
    else
        direct_sum_nhwc_kernel<T, POOL, 1><<<nhwc, threads>>>(p->conv, q, p->pool, x, sums);
    CUDA(cudaGetLastError());
}

template <class T> void direct_sum(const struct convpool_problem *p, const void *x, void *sums)
{
    if (p->pool == 2)
        direct_sum_of<T, 2>(p, (const T *)x, (T *)sums);
    else
        direct_sum_of<T, 0>(p, (const T *)x, (T *)sums);
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
