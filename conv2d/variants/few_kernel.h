/* conv_dense_split where there are few channels, a network's first layer: at most 32 products an
 * output, which floats add up one after another, as plain loops do.
 *
 * A block has FEW_FILTERS filters of FEW_OUTPUTS neighbouring outputs: one thread an output brings
 * what its filters read of x into shared memory, row by tap, where the weights are; then a thread
 * has fours of filters times fours of outputs, of which one load serves as many products as the
 * other has numbers. Lanes are neighbours in y: outputs in NCHW, filters in NHWC. Launches may
 * overlap: weights are there before the launch before this one has ended. */
#ifndef HPC_CONV2D_FEW_KERNEL_H
#define HPC_CONV2D_FEW_KERNEL_H

#include "conv2d/variants/few_plan.h"
#include "conv2d/variants/tensor.h"

namespace
{

static_assert(FEW_OUTPUTS * FEW_FILTERS <= (FEW_OUTPUTS + FEW_FILTERS) * FEW_TAPS,
              "sums find room where factors were");

struct few_job {
    struct conv2d_problem p;
    const float4 *weights; /* [few_groups()][taps][FEW_FILTERS] */
    int taps;
    int y_columns, y_plane, outputs;   /* a map's, and all images' of one filter */
    int to_column, to_row, to_channel; /* elements from one of x to the next */
};

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

/* A column of what the block multiplies; of CHANNELS channels of 3 x 3 taps all is on its way at
 * once, of others eight taps. */
template <int CHANNELS>
__device__ inline void few_fill(const few_job &j, const float *x, float *column, int output)
{
    const few_window window(j, x, min(output, j.outputs - 1)); /* past the last one: its own */
    if (CHANNELS > 0) {
        float v[CHANNELS > 0 ? CHANNELS * 9 : 1];
#pragma unroll
        for (int i = 0; i < CHANNELS * 9; i++)
            v[i] = window.at(j, i / 9, i / 3 % 3, i % 3);
#pragma unroll
        for (int i = 0; i < CHANNELS * 9; i++)
            column[i * FEW_OUTPUTS] = v[i];
        return;
    }
    int c = 0, r = 0, s = 0;
    for (int first = 0; first < j.taps; first += 8) {
        float v[8];
#pragma unroll
        for (int i = 0; i < 8; i++) {
            v[i] = first + i < j.taps ? window.at(j, c, r, s) : 0;
            if (++s == j.p.s)
                s = 0, r++;
            if (r == j.p.r)
                r = 0, c++;
        }
#pragma unroll
        for (int i = 0; i < 8; i++) /* FEW_TAPS is a multiple */
            column[(first + i) * FEW_OUTPUTS] = v[i];
    }
}

/* Where y has filter 0 of an output, in NCHW. */
__device__ inline size_t few_map_at(const few_job &j, int output)
{
    return (size_t)output + (size_t)(output / j.y_plane) * (j.p.k - 1) * j.y_plane;
}

/* What a thread has: fours of outputs and of filters, of which the i-th begins at .. */
template <bool NHWC> struct few_share {
    enum {
        OUTPUT_LANES = NHWC ? 8 : 16,
        FILTER_LANES = FEW_THREADS / OUTPUT_LANES,
        OUTPUTS = FEW_OUTPUTS / 4 / OUTPUT_LANES,
        FILTERS = FEW_FILTERS / 4 / FILTER_LANES,
    };
    int output_lane, filter_lane;
    float sum[OUTPUTS * 4][FILTERS * 4];

    __device__ few_share()
        : output_lane(NHWC ? threadIdx.x / 16 : threadIdx.x % 16),
          filter_lane(NHWC ? threadIdx.x % 16 : threadIdx.x / 16)
    {
#pragma unroll
        for (int o = 0; o < OUTPUTS * 4; o++)
#pragma unroll
            for (int f = 0; f < FILTERS * 4; f++)
                sum[o][f] = 0;
    }

    __device__ int output_four(int i) const
    {
        return i * OUTPUT_LANES + output_lane;
    }

    __device__ int filter_four(int i) const
    {
        return i * FILTER_LANES + filter_lane;
    }

    /* A tap's x of all the block's outputs times its weights of all the block's filters. */
    __device__ void add(const float4 *x, const float4 *weights)
    {
        float4 a[OUTPUTS], b[FILTERS];
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++)
            a[o] = x[output_four(o)];
#pragma unroll
        for (int f = 0; f < FILTERS; f++)
            b[f] = weights[filter_four(f)];
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++) {
            const float v[4] = {a[o].x, a[o].y, a[o].z, a[o].w};
#pragma unroll
            for (int f = 0; f < FILTERS; f++)
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    float *to = sum[4 * o + i] + 4 * f;
                    to[0] = fmaf(b[f].x, v[i], to[0]);
                    to[1] = fmaf(b[f].y, v[i], to[1]);
                    to[2] = fmaf(b[f].z, v[i], to[2]);
                    to[3] = fmaf(b[f].w, v[i], to[3]);
                }
        }
    }

    /* NHWC: an output's four filters. */
    __device__ void store_pixels(const few_job &j, int first, int filters, float *y) const
    {
        const bool fours = j.p.k % 4 == 0 && ((size_t)y & 15) == 0;
#pragma unroll
        for (int o = 0; o < OUTPUTS * 4; o++)
#pragma unroll
            for (int f = 0; f < FILTERS; f++) {
                const int output = first + output_four(o / 4) * 4 + o % 4;
                const int filter = filters + filter_four(f) * 4;
                const float *v = sum[o] + 4 * f;
                float *to = y + (size_t)output * j.p.k + filter;
                if (output < j.outputs && filter < j.p.k && fours)
                    *(float4 *)to = make_float4(v[0], v[1], v[2], v[3]);
                for (int i = 0; i < 4 && output < j.outputs && !fours; i++)
                    if (filter + i < j.p.k)
                        to[i] = v[i];
            }
    }

    /* NCHW: a filter's four outputs, which lie in one image. */
    __device__ void store_fours(const few_job &j, int first, int filters, float *y) const
    {
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++) {
            const int output = first + output_four(o) * 4;
#pragma unroll
            for (int f = 0; f < FILTERS * 4; f++) {
                const int filter = filters + filter_four(f / 4) * 4 + f % 4;
                if (output < j.outputs && filter < j.p.k)
                    *(float4 *)(y + few_map_at(j, output) + (size_t)filter * j.y_plane) =
                        make_float4(sum[4 * o][f], sum[4 * o + 1][f], sum[4 * o + 2][f],
                                    sum[4 * o + 3][f]);
            }
        }
    }

    /* NCHW of any size: by way of shared memory, [filter][output], all threads of the block. */
    __device__ void store_maps(const few_job &j, float4 *shared, int first, int filters,
                               float *y) const
    {
        __syncthreads();
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++)
#pragma unroll
            for (int f = 0; f < FILTERS * 4; f++)
                shared[(filter_four(f / 4) * 4 + f % 4) * (FEW_OUTPUTS / 4) + output_four(o)] =
                    make_float4(sum[4 * o][f], sum[4 * o + 1][f], sum[4 * o + 2][f],
                                sum[4 * o + 3][f]);
        __syncthreads();
        const int column = threadIdx.x % FEW_OUTPUTS, output = first + column;
        float *to = y + few_map_at(j, output);
        for (int f = threadIdx.x / FEW_OUTPUTS; f < FEW_FILTERS; f += FEW_THREADS / FEW_OUTPUTS)
            if (output < j.outputs && filters + f < j.p.k)
                to[(size_t)(filters + f) * j.y_plane] =
                    ((const float *)shared)[f * FEW_OUTPUTS + column];
    }

    __device__ void store(const few_job &j, float4 *shared, int first, int filters, float *y) const
    {
        if (NHWC)
            store_pixels(j, first, filters, y);
        else if (j.y_plane % 4 == 0 && ((size_t)y & 15) == 0)
            store_fours(j, first, filters, y);
        else
            store_maps(j, shared, first, filters, y);
    }
};

/* CHANNELS channels of 3 x 3 taps; 0: any. Blocks of FEW_THREADS; x: outputs, y: filters. */
template <int CHANNELS, bool NHWC>
__global__ void __launch_bounds__(FEW_THREADS)
    few_kernel(const few_job j, const float *__restrict__ x, float *__restrict__ y)
{
    __shared__ float4 weights[(FEW_OUTPUTS + FEW_FILTERS) * FEW_TAPS / 4];
    float4 *const columns = weights + FEW_FILTERS * FEW_TAPS / 4;
    const int first = blockIdx.x * FEW_OUTPUTS, taps = CHANNELS > 0 ? CHANNELS * 9 : j.taps;
    few_share<NHWC> share;
    for (int i = threadIdx.x; i < taps * (FEW_FILTERS / 4); i += FEW_THREADS)
        weights[i] = j.weights[blockIdx.y * taps * (FEW_FILTERS / 4) + i];
    others_wait();
    if (threadIdx.x < FEW_OUTPUTS)
        few_fill<CHANNELS>(j, x, (float *)columns + threadIdx.x, first + threadIdx.x);
    __syncthreads();
    others_begin(); /* not earlier: its blocks would lie where these ones leave room, unevenly */
#pragma unroll 3
    for (int i = 0; i < taps; i++)
        share.add(columns + i * (FEW_OUTPUTS / 4), weights + i * (FEW_FILTERS / 4));
    share.store(j, weights, first, blockIdx.y * FEW_FILTERS, y);
}

} // namespace

#endif
