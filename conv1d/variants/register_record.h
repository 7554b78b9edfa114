/* What the kernels of register_record are made of: a block's part of the signal, its tile in shared
 * memory, and a thread's walk along it. */
#ifndef HPC_CONV1D_REGISTER_RECORD_H
#define HPC_CONV1D_REGISTER_RECORD_H

#include <stdint.h>

enum { THREADS = 64 }; /* of the blocks that have a tile */

/* A block's part of the signal: x[at] may be read for low <= at < high, y[at] written up to high.
 * inner: the whole window is inside the signal. */
struct part {
    const float *x;
    float *y;
    int low, high;
    bool inner;
};

/* The part of `outputs` outputs whose window has `before` more elements before it and `after`
 * behind it. `before` may be negative: then the window begins that much later. */
__device__ static part part_of(const float *x, float *y, int64_t n, int outputs, int before,
                               int after)
{
    const int64_t begin = (int64_t)blockIdx.x * outputs, left = n - begin;
    const int most = 1 << 30;
    const int low = begin < before ? -(int)begin : -before, high = left < most ? (int)left : most;
    return {x + begin, y + begin, low, high, low == -before && high >= outputs + max(after, 0)};
}

__device__ static float4 load4(const part &p, int at)
{
    if (at >= p.low && at + 4 <= p.high)
        return *(const float4 *)(p.x + at);
    float v[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        v[k] = at + k >= p.low && at + k < p.high ? p.x[at + k] : 0;
    return make_float4(v[0], v[1], v[2], v[3]);
}

__device__ static void store4(const part &p, int at, float4 v)
{
    if (at + 4 <= p.high) {
        *(float4 *)(p.y + at) = v;
        return;
    }
    const float a[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (at + k < p.high)
            p.y[at + k] = a[k];
}

/* x[at .. at + WINDOW) with zeros where there is no x, `at` a multiple of 4: 16 bytes a time
 * without a branch, all loads at once. */
template <int WINDOW>
__device__ static void load_window(float *window, const float *x, int n, int at)
{
    const int whole = n & ~3;
#pragma unroll
    for (int k = 0; k < WINDOW; k += 4) {
        const bool in = (unsigned)(at + k) < (unsigned)whole;
        const float4 v = in ? *(const float4 *)(x + at + k) : make_float4(0, 0, 0, 0);
        window[k] = v.x;
        window[k + 1] = v.y;
        window[k + 2] = v.z;
        window[k + 3] = v.w;
    }
    if (whole == n)
        return;
#pragma unroll
    for (int i = 0; i < 3; i++) {
        const float v = whole + i < n ? x[whole + i] : 0;
#pragma unroll
        for (int k = 0; k < WINDOW; k += 4)
            if (at + k == whole)
                window[k + i] = v;
    }
}

/* Sums of LANES neighbouring threads: the thread that is `lane` of them gets that of sum[lane % 4].
 */
template <int LANES> __device__ static float add_lanes(float *sum, int lane)
{
    const unsigned all = 0xffffffff;
#pragma unroll
    for (int step = LANES / 2; step > 2; step /= 2)
#pragma unroll
        for (int o = 0; o < 4; o++)
            sum[o] += __shfl_xor_sync(all, sum[o], step);
    /* Each keeps two of the four, then one of the two, and gives the others away. */
    const bool upper = lane & 2, odd = lane & 1;
    const float first = __shfl_xor_sync(all, upper ? sum[0] : sum[2], 2);
    const float second = __shfl_xor_sync(all, upper ? sum[1] : sum[3], 2);
    const float even_sum = (upper ? sum[2] : sum[0]) + first;
    const float odd_sum = (upper ? sum[3] : sum[1]) + second;
    return (odd ? odd_sum : even_sum) + __shfl_xor_sync(all, odd ? even_sum : odd_sum, 1);
}

/* Where in a tile the k-th 16 bytes lie. */
template <int OUTPUTS> __device__ constexpr int padded(int k)
{
    return OUTPUTS == 4 ? k : k + k / (OUTPUTS / 4);
}

/* A thread's window: the elements that the next tap of each output meets. */
template <int OUTPUTS> struct walk {
    float window[OUTPUTS + 4], sum[OUTPUTS];

    __device__ void put(int k, float4 v)
    {
        window[k] = v.x;
        window[k + 1] = v.y;
        window[k + 2] = v.z;
        window[k + 3] = v.w;
    }

    /* `own`: the thread's first cell. */
    __device__ void begin(const float4 *own)
    {
#pragma unroll
        for (int k = 0; k < OUTPUTS; k += 4)
            put(k, own[k / 4]);
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++)
            sum[o] = 0;
    }

    /* QUADS * 4 taps; `next`: the cell behind the window, a multiple of OUTPUTS from `own`. */
    template <int QUADS> __device__ void quads(const float4 *next, const float *w)
    {
#pragma unroll
        for (int q = 0; q < QUADS; q++) {
            put(OUTPUTS, next[padded<OUTPUTS>(q)]);
#pragma unroll
            for (int j = 0; j < 4; j++)
#pragma unroll
                for (int o = 0; o < OUTPUTS; o++)
                    sum[o] += w[4 * q + j] * window[o + j];
#pragma unroll
            for (int o = 0; o < OUTPUTS; o++)
                window[o] = window[o + 4];
        }
    }
};

/* The window of a block's outputs into its tile: from `before` elements before them on, 16 bytes
 * for each 4 outputs and `extra` more. */
template <int OUTPUTS>
__device__ static void load_tile(float4 *tile, const part &p, int before, int extra)
{
    constexpr int EACH = OUTPUTS / 4, STEP = padded<OUTPUTS>(THREADS);
    const int t = threadIdx.x, own = padded<OUTPUTS>(t);
    if (p.inner) {
        const float4 *from = (const float4 *)(p.x - before) + t;
        float4 v[EACH];
#pragma unroll
        for (int i = 0; i < EACH; i++)
            v[i] = from[i * THREADS];
        for (int k = t; k < extra; k += THREADS)
            tile[EACH * STEP + padded<OUTPUTS>(k)] = from[EACH * THREADS + k - t];
#pragma unroll
        for (int i = 0; i < EACH; i++)
            tile[own + i * STEP] = v[i];
    } else {
        for (int k = t; k < EACH * THREADS + extra; k += THREADS)
            tile[padded<OUTPUTS>(k)] = load4(p, 4 * k - before);
    }
    __syncthreads();
}

/* A block's sums to y, or added to what is there, through the tile. */
template <int OUTPUTS>
__device__ static void store_tile(float4 *tile, const part &p, const float *sum, bool add)
{
    constexpr int EACH = OUTPUTS / 4, STEP = padded<OUTPUTS>(THREADS);
    const int t = threadIdx.x, own = padded<OUTPUTS>(t);
    __syncthreads(); /* all have read their windows */
#pragma unroll
    for (int i = 0; i < EACH; i++)
        tile[padded<OUTPUTS>(EACH) * t + i] =
            make_float4(sum[4 * i], sum[4 * i + 1], sum[4 * i + 2], sum[4 * i + 3]);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const int at = 4 * (i * THREADS + t);
        float4 v = tile[own + i * STEP];
        if (add) {
            const part old = {p.y, p.y, 0, p.high, p.inner};
            const float4 u = load4(old, at);
            v = make_float4(v.x + u.x, v.y + u.y, v.z + u.z, v.w + u.w);
        }
        if (p.inner)
            *(float4 *)(p.y + at) = v;
        else
            store4(p, at, v);
    }
}

#endif
