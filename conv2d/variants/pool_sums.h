/* The sums S of a subtile's box of x, by the warps of a sum group: the operand of the products.
 *
 * Sums of halves are rounded to halves, once. Sums of floats get a scale first: the largest x of
 * the box decides a power of two, of an even exponent, that brings the largest possible sum to
 * [2^13, 2^15); then they become one half, or two (pool_weights.h). A piece of four channels of x
 * that all lie under 2^-29 of the largest, not all zero, might lose bits: then the scale is
 * negative, a word to pool_mend.h. */
#ifndef HPC_CONV2D_POOL_SUMS_H
#define HPC_CONV2D_POOL_SUMS_H

#include "conv2d/variants/pool_maps.h"
#include "conv2d/variants/pool_weights.h"

namespace
{

enum { LOST = 29 };

template <class F>
DEVICE void sums_of_halves(uint32_t x, uint32_t s, int slab, int thread, int side)
{
    typedef strips<F> strip;
#pragma unroll 1
    for (int at = thread; at < strip::COUNT; at += F::SUM_THREADS) {
        const strip here(at, slab, side);
        here.walk(x, [&](int ii, int cc, const float(&sum)[8]) {
            const uint4 v = make_uint4(halves_of(sum[0], sum[1]), halves_of(sum[2], sum[3]),
                                       halves_of(sum[4], sum[5]), halves_of(sum[6], sum[7]));
            here.places(ii, cc, [&](uint32_t offset) { store_16(s + offset, v); });
        });
    }
}

/* A piece of four floats more: the largest, and one less than the least of pieces' largest but
 * zero, as bits without their sign. A NaN is passed over: what it is summed to has its output
 * mended. */
DEVICE void widen_range(float a, float b, float c, float d, uint32_t *most, uint32_t *least)
{
    const uint32_t top =
        __float_as_uint(fmaxf(fmaxf(fabsf(a), fabsf(b)), fmaxf(fabsf(c), fabsf(d))));
    *most = max(*most, top);
    *least = min(*least, top - 1);
}

/* The range of a box, of what this thread sees and what it was before. */
template <class F>
DEVICE void range_of_floats(uint32_t x, int thread, uint32_t *most, uint32_t *least)
{
#pragma unroll 4
    for (int at = thread; at < F::X_BYTES / 16; at += F::SUM_THREADS) {
        const uint4 v = load_16(x + at * 16);
        widen_range(__uint_as_float(v.x), __uint_as_float(v.y), __uint_as_float(v.z),
                    __uint_as_float(v.w), most, least);
    }
}

/* Four sums, scaled, as one half each or two. */
template <class F>
DEVICE void store_scaled(uint32_t s, const strips<F> &here, int ii, int cc, const float (&sum)[4],
                         float scale)
{
    float f[4];
#pragma unroll
    for (int e = 0; e < 4; e++)
        f[e] = sum[e] * scale;
    const uint32_t a = halves_of(f[0], f[1]), b = halves_of(f[2], f[3]);
    uint32_t c = 0, d = 0;
    if (F::HALVES == 2) {
        const float2 u = floats_of(a), w = floats_of(b);
        c = halves_of((f[0] - u.x) * LOWER, (f[1] - u.y) * LOWER);
        d = halves_of((f[2] - w.x) * LOWER, (f[3] - w.y) * LOWER);
    }
    here.places(ii, cc, [&](uint32_t offset) {
        store_8(s + offset, a, b);
        if (F::HALVES == 2)
            store_8(s + F::S_HALF + offset, c, d);
    });
}

template <class F>
DEVICE void sums_of_floats(uint32_t x, uint32_t s, int slab, int thread, float scale)
{
    typedef strips<F> strip;
#pragma unroll 1
    for (int at = thread; at < strip::COUNT; at += F::SUM_THREADS) {
        const strip here(at, slab, 0);
        here.walk(x, [&](int ii, int cc, const float(&sum)[4]) {
            store_scaled<F>(s, here, ii, cc, sum, scale);
        });
    }
}

/* The same where a thread's sums fit into registers: the box is free for the next one, and all is
 * added, before S has room. */
template <class F> struct kept_halves {
    typedef strips<F> strip;
    uint4 v[strip::ROUNDS][strip::LENGTH][F::COLUMNS];

    DEVICE void load(uint32_t x, int thread, int side)
    {
#pragma unroll
        for (int round = 0; round < strip::ROUNDS; round++) {
            const int at = thread + round * F::SUM_THREADS;
            if (at < strip::COUNT)
                strip(at, 0, side).walk(x, [&](int ii, int cc, const float(&sum)[8]) {
                    v[round][ii][cc] =
                        make_uint4(halves_of(sum[0], sum[1]), halves_of(sum[2], sum[3]),
                                   halves_of(sum[4], sum[5]), halves_of(sum[6], sum[7]));
                });
        }
    }

    DEVICE void store(uint32_t s, int slab, int thread)
    {
#pragma unroll
        for (int round = 0; round < strip::ROUNDS; round++) {
            const int at = thread + round * F::SUM_THREADS;
            if (at < strip::COUNT) {
                const strip here(at, slab, 0);
                here.each([&](int ii, int cc) {
                    here.places(ii, cc,
                                [&](uint32_t offset) { store_16(s + offset, v[round][ii][cc]); });
                });
            }
        }
    }
};

/* Floats, whose range is known once all are added. */
template <class F> struct kept_sums {
    typedef strips<F> strip;
    float v[strip::ROUNDS][strip::LENGTH][F::COLUMNS][4];

    DEVICE void load(uint32_t x, int thread, int side, uint32_t *most, uint32_t *least)
    {
#pragma unroll
        for (int round = 0; round < strip::ROUNDS; round++) {
            const int at = thread + round * F::SUM_THREADS;
            if (at < strip::COUNT)
                strip(at, 0, side).walk(x, [&](int ii, int cc, const float(&sum)[4]) {
#pragma unroll
                    for (int e = 0; e < 4; e++)
                        v[round][ii][cc][e] = sum[e];
                    widen_range(sum[0], sum[1], sum[2], sum[3], most, least);
                });
        }
    }

    DEVICE void store(uint32_t s, int slab, int thread, float scale)
    {
#pragma unroll
        for (int round = 0; round < strip::ROUNDS; round++) {
            const int at = thread + round * F::SUM_THREADS;
            if (at < strip::COUNT) {
                const strip here(at, slab, 0);
                here.each([&](int ii, int cc) {
                    store_scaled<F>(s, here, ii, cc, v[round][ii][cc], scale);
                });
            }
        }
    }
};

/* A sum group's view of the range of what it summed: three pairs of words in turn, so that one is
 * cleared while no warp can look at it. */
template <class F> struct sum_range {
    uint32_t words;
    int group, turn;

    DEVICE sum_range(uint32_t base, int group_)
        : words(base + F::RANGE_AT + group_ * 24), group(group_), turn(0)
    {
    }

    static DEVICE void clear(uint32_t pair)
    {
        store_8(pair, 0, ~0u);
    }

    /* All warps of the group get the same pair. */
    DEVICE void agree(int thread, uint32_t *most, uint32_t *least)
    {
        const uint32_t pair = words + turn * 8;
        *most = warp_most(*most);
        *least = warp_least(*least);
        if (thread % 32 == 0) {
            asm volatile("red.shared.max.u32 [%0], %1;" ::"r"(pair), "r"(*most) : "memory");
            asm volatile("red.shared.min.u32 [%0], %1;" ::"r"(pair + 4), "r"(*least) : "memory");
        }
        named_sync<F::SUM_THREADS>(group + 1);
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
                     : "=r"(*most), "=r"(*least)
                     : "r"(pair)
                     : "memory");
        if (thread == 0)
            clear(words + (turn + 2) % 3 * 8);
        turn = (turn + 1) % 3;
    }
};

template <class F> DEVICE void free_box(uint32_t base, int stage, int lane)
{
    __syncwarp();
    if (lane == 0)
        barrier_arrive(F::x_empty(base, stage));
}

/* Where the first element that is summed lies: the copy engine begins `early` columns before. */
template <class F> DEVICE uint32_t first_of_box(uint32_t base, int stage, int early)
{
    return base + F::X_AT + stage * F::X_STAGE +
           (F::NCHW && !F::WHOLE && !F::BARE ? early * (int)sizeof(typename F::element) : 0);
}

/* A stage, all of it there, to the other block of a pair. */
template <class F> DEVICE void give_sums(uint32_t base, int stage, int rank, int thread)
{
    const uint32_t sums = base + F::S_AT + stage * F::S_STAGE;
    named_sync<F::SUM_THREADS>(5);
    if (thread == 0)
        copy_bytes_over(cluster_address(sums, rank ^ 1), sums, F::S_COPIED,
                        cluster_address(F::s_full(base, stage), rank ^ 1));
}

} // namespace

#endif
