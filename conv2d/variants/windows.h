/* The windows of x as a matrix D, for a convolution as a matrix product:
 * NCHW: D [n][c, r, s][row, column]; NHWC: D [n][row, column][r, s, c]. */
#ifndef HPC_CONV2D_WINDOWS_H
#define HPC_CONV2D_WINDOWS_H

#include "conv2d/variants/pack.h"

namespace
{

enum { WINDOW_THREADS = 256, MOST_GRID = 65535 };

/* NCHW. A block has blockDim.x pixels of the output in blockDim.y rows of C R S; grid: pixels,
 * rows, images. */
template <class T> __global__ void windows_nchw_kernel(struct conv2d_problem p, const T *x, T *d)
{
    const int columns = conv2d_columns(&p), pixels = conv2d_rows(&p) * columns;
    const int depth = p.c * p.r * p.s, pixel = blockIdx.x * blockDim.x + threadIdx.x;
    if (pixel >= pixels)
        return;
    const int top = pixel / columns * p.stride - p.pad, left = pixel % columns * p.stride - p.pad;
    for (int crs = blockIdx.y * blockDim.y + threadIdx.y; crs < depth;
         crs += gridDim.y * blockDim.y) {
        const int h = top + crs / p.s % p.r, v = left + crs % p.s, c = crs / (p.r * p.s);
        const bool inside = h >= 0 && h < p.h && v >= 0 && v < p.w;
        const size_t map = ((size_t)blockIdx.z * p.c + c) * p.h * p.w;
        d[((size_t)blockIdx.z * depth + crs) * pixels + pixel] =
            inside ? x[map + (size_t)h * p.w + v] : T(0.0f);
    }
}

/* NHWC, N channels a thread. Grid: pixels of the output times R S C / N, images. */
template <class T, int N>
__global__ void windows_nhwc_kernel(struct conv2d_problem p, const T *x, T *d)
{
    const unsigned columns = conv2d_columns(&p), pixels = conv2d_rows(&p) * columns;
    const unsigned depth = p.c * p.r * p.s, i = blockIdx.x * WINDOW_THREADS + threadIdx.x;
    const unsigned pixel = i / (depth / N), at = i % (depth / N) * N;
    if (pixel >= pixels)
        return;
    const unsigned c = at % p.c, tap = at / p.c;
    const int h = (int)(pixel / columns * p.stride + tap / p.s) - p.pad;
    const int v = (int)(pixel % columns * p.stride + tap % p.s) - p.pad;
    pack<T, N> window = pack<T, N>::zero();
    if (h >= 0 && h < p.h && v >= 0 && v < p.w)
        window = pack<T, N>::load(x, (((size_t)blockIdx.y * p.h + h) * p.w + v) * p.c + c);
    window.store(d, ((size_t)blockIdx.y * pixels + pixel) * depth + at);
}

template <class T> void fill_windows(const struct conv2d_problem &p, const T *x, T *d)
{
    enum { N = 16 / sizeof(T) };
    const int pixels = conv2d_rows(&p) * conv2d_columns(&p), depth = p.c * p.r * p.s;
    const int threads = WINDOW_THREADS;
    int across = 1; /* a small map must not leave a block's threads idle */
    while (across < pixels && across < threads)
        across *= 2;
    const int rows = gpu_blocks(depth, threads / across);
    const dim3 nchw(gpu_blocks(pixels, across), rows < MOST_GRID ? rows : MOST_GRID, p.n);
    if (p.layout == CONV_NCHW)
        windows_nchw_kernel<T><<<nchw, dim3(across, threads / across)>>>(p, x, d);
    else if (channels_packed(p) == N)
        windows_nhwc_kernel<T, N>
            <<<dim3(gpu_blocks((size_t)pixels * (depth / N), threads), p.n), threads>>>(p, x, d);
    else
        windows_nhwc_kernel<T, 1>
            <<<dim3(gpu_blocks((size_t)pixels * depth, threads), p.n), threads>>>(p, x, d);
    CUDA(cudaGetLastError());
}

} // namespace

#endif
