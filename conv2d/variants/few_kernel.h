/* conv_dense_split where there are few channels, a network's first layer: at most 32 products an
 * output, so that memory is the bound and floats will do.
 *
 * A thread has 16 filters and PIXELS outputs, neighbouring lanes neighbouring outputs, a warp of
 * the block's four its own 16 of 64 filters. What a thread reads of x is on its way at once, and
 * stays in registers; weights come from shared memory, four filters a load, the same for all
 * lanes. Products are added up one after another, as plain loops have them. Launches may overlap:
 * weights are there before the launch before this one has ended. */
#ifndef HPC_CONV2D_FEW_KERNEL_H
#define HPC_CONV2D_FEW_KERNEL_H

#include "conv2d/variants/few_plan.h"
#include "conv2d/variants/tensor.h"

namespace
{

struct few_job {
    struct conv2d_problem p;
    const float4 *weights; /* [K / FEW_FILTERS][taps][FEW_FILTERS] */
    int taps;
    int y_columns, y_plane, outputs;   /* a map's, and all images' of one filter */
    int to_column, to_row, to_channel; /* elements from one of x to the next */
};

static_assert(FEW_TAPS * FEW_FILTERS / 4 <= 32 * FEW_PITCH, "weights in the same place");

/* One output's window of x. */
struct few_window {
    const float *first; /* may lie outside of x */
    int row, column;

    __device__ few_window(const few_job &j, const float *x, int output)
    {
        const int image = output / j.y_plane, place = output - image * j.y_plane;
        const int u = place / j.y_columns;
        row = u * j.p.stride - j.p.pad;
        column = (place - u * j.y_columns) * j.p.stride - j.p.pad;
        first = x + (size_t)image * j.p.c * j.p.h * j.p.w +
                ((ptrdiff_t)row * j.to_row + column * j.to_column);
    }

    __device__ float at(const few_job &j, int c, int r, int s) const
    {
        const bool is =
            (unsigned)(row + r) < (unsigned)j.p.h && (unsigned)(column + s) < (unsigned)j.p.w;
        return is ? __ldg(first + c * j.to_channel + r * j.to_row + s * j.to_column) : 0;
    }
};

/* sum += x times the weights of a tap, of 16 filters. */
template <int PIXELS>
__device__ inline void few_add(float (&sum)[PIXELS][FEW_EACH], const float4 *weights,
                               const float (&x)[PIXELS])
{
#pragma unroll
    for (int i = 0; i < FEW_EACH / 4; i++) {
        const float4 w = weights[i];
#pragma unroll
        for (int p = 0; p < PIXELS; p++) {
            sum[p][4 * i] = fmaf(w.x, x[p], sum[p][4 * i]);
            sum[p][4 * i + 1] = fmaf(w.y, x[p], sum[p][4 * i + 1]);
            sum[p][4 * i + 2] = fmaf(w.z, x[p], sum[p][4 * i + 2]);
            sum[p][4 * i + 3] = fmaf(w.w, x[p], sum[p][4 * i + 3]);
        }
    }
}

/* NCHW: neighbouring lanes have neighbours in y. */
__device__ inline void few_store_maps(const few_job &j, const float (&sum)[FEW_EACH], int output,
                                      int filter, float *y)
{
    const int image = output / j.y_plane;
    float *to = y + ((size_t)image * (j.p.k - 1) + filter) * j.y_plane + output;
    if (output >= j.outputs)
        return;
#pragma unroll
    for (int i = 0; i < FEW_EACH; i++)
        if (filter + i < j.p.k)
            to[(size_t)i * j.y_plane] = sum[i];
}

/* NHWC: by way of shared memory, FEW_PITCH pieces of four filters an output, so that neighbouring
 * threads have neighbours in y. By all threads of the block; `output`: its first one. */
__device__ inline void few_store_pixels(const few_job &j, const float (&sum)[FEW_EACH],
                                        float4 *shared, int output, float *y)
{
    const int mine = threadIdx.x % 32 * FEW_PITCH + threadIdx.x / 32 * (FEW_EACH / 4);
    const int group = blockIdx.y * FEW_FILTERS;
    const bool quads = j.p.k % 4 == 0 && ((size_t)y & 15) == 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < FEW_EACH / 4; i++)
        shared[mine + i] = make_float4(sum[4 * i], sum[4 * i + 1], sum[4 * i + 2], sum[4 * i + 3]);
    __syncthreads();
    for (int i = threadIdx.x; i < 32 * FEW_FILTERS / 4; i += FEW_WARPS * 32) {
        const int at = i / (FEW_FILTERS / 4), filter = group + i % (FEW_FILTERS / 4) * 4;
        const float4 v = shared[at * FEW_PITCH + i % (FEW_FILTERS / 4)];
        float *to = y + (size_t)(output + at) * j.p.k + filter;
        if (output + at >= j.outputs || filter >= j.p.k)
            continue;
        if (quads) {
            *(float4 *)to = v;
            continue;
        }
        to[0] = v.x;
        if (filter + 1 < j.p.k)
            to[1] = v.y;
        if (filter + 2 < j.p.k)
            to[2] = v.z;
        if (filter + 3 < j.p.k)
            to[3] = v.w;
    }
}

/* CHANNELS channels of 3 x 3 taps; 0: any. Blocks of FEW_WARPS warps; x: outputs, y: filters. */
template <int CHANNELS>
__global__ void __launch_bounds__(FEW_WARPS * 32)
    few_kernel(const few_job j, const float *__restrict__ x, float *__restrict__ y)
{
    enum { PIXELS = 1 };
    __shared__ float4 weights[32 * FEW_PITCH]; /* then sums on their way to y */
    const int warp = threadIdx.x / 32, first = blockIdx.x * 32 * PIXELS + threadIdx.x % 32;
    const int filter = blockIdx.y * FEW_FILTERS + warp * FEW_EACH;
    const float4 *mine = weights + warp * (FEW_EACH / 4);
    float sum[PIXELS][FEW_EACH] = {};
    others_begin();
    for (int i = threadIdx.x; i < j.taps * FEW_FILTERS / 4; i += FEW_WARPS * 32)
        weights[i] = j.weights[blockIdx.y * j.taps * (FEW_FILTERS / 4) + i];
    others_wait();
    __syncthreads();
    if (CHANNELS > 0) {
        float v[CHANNELS > 0 ? CHANNELS * 9 : 1][PIXELS];
#pragma unroll
        for (int p = 0; p < PIXELS; p++) { /* past the last one: the last one's */
            const few_window window(j, x, min(first + p * 32, j.outputs - 1));
#pragma unroll
            for (int i = 0; i < CHANNELS * 9; i++)
                v[i][p] = window.at(j, i / 9, i / 3 % 3, i % 3);
        }
#pragma unroll
        for (int i = 0; i < CHANNELS * 9; i++)
            few_add<PIXELS>(sum, mine + i * (FEW_FILTERS / 4), v[i]);
    } else {
        for (int c = 0; c < j.p.c; c++)
            for (int r = 0; r < j.p.r; r++)
                for (int s = 0; s < j.p.s; s++, mine += FEW_FILTERS / 4) {
                    float v[PIXELS];
#pragma unroll
                    for (int p = 0; p < PIXELS; p++)
                        v[p] = few_window(j, x, min(first + p * 32, j.outputs - 1)).at(j, c, r, s);
                    few_add<PIXELS>(sum, mine, v);
                }
    }
#pragma unroll
    for (int p = 0; p < PIXELS; p++)
        if (j.p.layout == CONV_NHWC)
            few_store_pixels(j, sum[p], weights, (blockIdx.x * PIXELS + p) * 32, y);
        else
            few_store_maps(j, sum[p], first + p * 32, filter, y);
}

} // namespace

#endif
