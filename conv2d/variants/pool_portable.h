/* The fused convolution-pooling without Hopper's instructions, for sm_75 and up: mma.sync on the
 * same sums S, formed by all threads from x in device memory (each x four times, mostly from the
 * L1), with the weights of one tap at a time; factors and products as in pool_products.h.
 *
 * A block of 4 warps has 64 outputs (8 x 8 of an image) times FILTERS filters, a warp 16 of these
 * rows. Limited by the barrier after each tap, and by the L1. */
#ifndef HPC_CONV2D_POOL_PORTABLE_H
#define HPC_CONV2D_POOL_PORTABLE_H

#include "conv2d/variants/pack.h"
#include "conv2d/variants/pool_mend.h"
#include "conv2d/variants/pool_sums.h"
#include "conv2d/variants/pool_warp.h"

namespace
{

template <class T, int PRODUCTS_, int FILTERS_> struct portable_tile {
    typedef T element;
    enum {
        NCHW = 0,
        PRODUCTS = PRODUCTS_,
        FILTERS = FILTERS_,
        SMALL = 0,
        SHORT = 0,
        IMAGES = 1,
        OUT_ROWS = 8, /* of a subtile */
        OUT_COLUMNS = 8,
        FLOATS = sizeof(T) == 4,
        HALVES = PRODUCTS == 3 ? 2 : 1,
        CHUNK = 32,
        ROW_BYTES = 64,
        SIDE = 17,
        ROWS = SIDE * SIDE,
        S_HALF = ROWS * ROW_BYTES,
        W_HALF = FILTERS * ROW_BYTES,
        W_BYTES = W_HALF * HALVES,
        THREADS = 128,
        COLUMNS = FILTERS / 8, /* of 8 filters: results of one instruction */
    };
};

/* S of four channels from c on, for row i and column j of the subtile at `at`. */
template <class F>
DEVICE void four_sums(const pool_call &call, const pool_place &at, int i, int j, int c,
                      float (&sum)[4])
{
    typedef typename F::element T;
    const struct conv2d_problem &p = call.p.conv;
#pragma unroll
    for (int e = 0; e < 4; e++)
        sum[e] = 0;
#pragma unroll
    for (int ab = 0; ab < 4; ab++) {
        const int row = at.u * 2 + i + ab / 2 - p.pad, column = at.v * 2 + j + ab % 2 - p.pad;
        if (row < 0 || row >= p.h || column < 0 || column >= p.w)
            continue;
        const T *from = (const T *)call.x + conv2d_x_at(&p, at.image, c, row, column);
        const pack<T, 4> four = pack<T, 4>::load(from, 0);
#pragma unroll
        for (int e = 0; e < 4; e++)
            sum[e] += (float)four.v[e];
    }
}

/* The block's largest and the least of its pieces' largest; `shared` has room for 8 words. */
DEVICE void block_range(uint32_t *most, uint32_t *least, uint32_t *shared)
{
    for (int step = 16; step > 0; step /= 2) {
        *most = max(*most, __shfl_xor_sync(~0u, *most, step));
        *least = min(*least, __shfl_xor_sync(~0u, *least, step));
    }
    if (threadIdx.x % 32 == 0) {
        shared[threadIdx.x / 32] = *most;
        shared[4 + threadIdx.x / 32] = *least;
    }
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        *most = max(*most, shared[i]);
        *least = min(*least, shared[4 + i]);
    }
}

/* A chunk's S into shared memory, where all threads have left the last one; its scale, negative
 * where bits are lost. */
template <class F>
DEVICE float portable_sums(const pool_call &call, const pool_place &at, int channel, uint32_t s,
                           uint32_t *range)
{
    enum { PIECES = F::ROWS * 8 };
    uint32_t most = 0, least = ~0u;
    float scale = 1, unscale = 1, sum[4];
    if (F::FLOATS) {
        for (int i = threadIdx.x; i < PIECES; i += F::THREADS) {
            four_sums<F>(call, at, i / 8 / F::SIDE, i / 8 % F::SIDE, channel + i % 8 * 4, sum);
            uint32_t top = 0;
            for (int e = 0; e < 4; e++)
                top = max(top, __float_as_uint(sum[e]) & 0x7fffffffu);
            most = max(most, top);
            least = min(least, top - 1);
        }
        block_range(&most, &least, range);
        const int e = scale_exponent<14>(most);
        scale = power_of_two(e);
        unscale = power_of_two(-e);
        if (least != ~0u && ((least + 1) >> 23) + LOST < most >> 23)
            unscale = -unscale;
    }
    for (int i = threadIdx.x; i < PIECES; i += F::THREADS) {
        const int row = i / 8, part = i % 8;
        four_sums<F>(call, at, row / F::SIDE, row % F::SIDE, channel + part * 4, sum);
        for (int e = 0; e < 4; e++)
            sum[e] *= scale;
        const uint32_t a = halves_of(sum[0], sum[1]), b = halves_of(sum[2], sum[3]);
        const uint32_t to = s + operand_piece<F::ROW_BYTES>(row, part / 2) + part % 2 * 8;
        store_8(to, a, b);
        if (F::HALVES == 2) {
            const float2 u = floats_of(a), v = floats_of(b);
            store_8(to + F::S_HALF, halves_of((sum[0] - u.x) * LOWER, (sum[1] - u.y) * LOWER),
                    halves_of((sum[2] - v.x) * LOWER, (sum[3] - v.y) * LOWER));
        }
    }
    return unscale;
}

/* d += S w over a tap's 32 channels: 16 outputs of the warp, all filters. */
template <class F>
DEVICE void multiply_tap(float (&d)[F::COLUMNS][4], uint32_t s, uint32_t w, int row)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int k = 0; k < 2; k++) {
        uint32_t a[4], b[4];
        load_matrices(a, s + operand_piece<F::ROW_BYTES>(row, 2 * k + lane / 16));
#pragma unroll
        for (int n = 0; n < F::COLUMNS; n += 2) {
            const int filter = n * 8 + lane / 16 * 8 + lane % 8;
            load_matrices(b, w + operand_piece<F::ROW_BYTES>(filter, 2 * k + lane / 8 % 2));
            multiply_16(d[n], a, b[0], b[1]);
            multiply_16(d[n + 1], a, b[2], b[3]);
        }
    }
}

template <class F>
DEVICE void move_sums(float (&to)[F::COLUMNS][4], float (&from)[F::COLUMNS][4], float factor)
{
#pragma unroll
    for (int n = 0; n < F::COLUMNS; n++)
#pragma unroll
        for (int e = 0; e < 4; e++) {
            to[n][e] = fmaf(from[n][e], factor, to[n][e]);
            from[n][e] = 0;
        }
}

/* A thread's share of a tap's weights, on their way. */
template <class F> struct tap_weights {
    enum { EACH = F::W_BYTES / 16 / F::THREADS };
    uint4 v[EACH];

    DEVICE void load(const uint4 *from)
    {
#pragma unroll
        for (int i = 0; i < EACH; i++)
            v[i] = from[i * F::THREADS + threadIdx.x];
    }

    DEVICE void store(uint32_t to) const
    {
#pragma unroll
        for (int i = 0; i < EACH; i++)
            store_16(to + (i * F::THREADS + threadIdx.x) * 16, v[i]);
    }
};

template <class F>
DEVICE bool portable_store(const pool_call &call, const float (&v)[F::COLUMNS][4], int subtile,
                           int filter)
{
    typedef typename F::element T;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float watched = 0;
#pragma unroll
    for (int h = 0; h < 2; h++) {
        const pool_place at = place_of<F>(call, subtile, warp * 16 + h * 8 + lane / 4);
        const int k = filter + lane % 4 * 2;
        T *to = (T *)call.y + place_index<F>(call, at) + k;
#pragma unroll
        for (int n = 0; n < F::COLUMNS; n++) {
            pack<T, 2> two;
#pragma unroll
            for (int e = 0; e < 2; e++) {
                const float sum = v[n][2 * h + e];
                watched = fmaf(sum, 0.0f, watched);
                two.v[e] = T(sum * (F::FLOATS ? call.unscale[k + 8 * n + e] : 0.25f));
            }
            if (at.there)
                two.store(to, 8 * n);
        }
    }
    return watched != 0;
}

template <class F>
__global__ void __launch_bounds__(F::THREADS) portable_kernel(const pool_call call)
{
    __shared__ alignas(128) char s_sums[F::S_HALF * F::HALVES];
    __shared__ alignas(128) char s_weights[F::W_BYTES];
    __shared__ uint32_t s_range[8];
    const int subtile = blockIdx.x / call.filter_tiles, tile = blockIdx.x % call.filter_tiles;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int m = warp * 16 + lane % 16; /* the output whose rows of S this lane points to */
    const int row = (m >> 3) * 2 * F::SIDE + (m & 7) * 2, chunks = call.p.conv.c / F::CHUNK;
    const uint32_t s = shared_address(s_sums), w = shared_address(s_weights);
    const uint4 *from = (const uint4 *)call.packed + (size_t)tile * chunks * 9 * F::W_BYTES / 16;
    const pool_place corner = place_of<F>(call, subtile, 0);
    float total[F::COLUMNS][4] = {}, main[F::COLUMNS][4] = {}, cross[F::COLUMNS][4] = {};
    tap_weights<F> next;
    bool lost = false;
    next.load(from);
    for (int chunk = 0; chunk < chunks; chunk++) {
        __syncthreads();
        const float read = portable_sums<F>(call, corner, chunk * F::CHUNK, s, s_range);
        lost |= read < 0;
        for (int tap = 0; tap < 9; tap++) {
            __syncthreads();
            next.store(w);
            __syncthreads();
            if (tap < 8 || chunk + 1 < chunks)
                next.load(from += F::W_BYTES / 16);
            const int at = row + tap / 3 * F::SIDE + tap % 3;
            multiply_tap<F>(main, s, w, at);
            if (F::PRODUCTS == 3) {
                multiply_tap<F>(cross, s + F::S_HALF, w, at);
                multiply_tap<F>(cross, s, w + F::W_HALF, at);
            }
            if (F::FLOATS && tap % 3 == 2)
                move_sums<F>(total, main, fabsf(read));
        }
        if (F::PRODUCTS == 3)
            move_sums<F>(total, cross, fabsf(read) / LOWER);
    }
    if (!F::FLOATS)
        move_sums<F>(total, main, 1);
    const bool bad = portable_store<F>(call, total, subtile, tile * F::FILTERS);
    if (__any_sync(~0u, lost || bad)) {
        __syncwarp();
        mend_rows<F>(call, subtile, warp * 16, tile * F::FILTERS, lane, lost);
    }
}

} // namespace

#endif
