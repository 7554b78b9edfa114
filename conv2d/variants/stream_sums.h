/* The sums S of pool_stream.h's blocks, from x in shared memory; floats are scaled to halves, two
 * of which make a number where PRODUCTS is 3. */
#ifndef HPC_CONV2D_STREAM_SUMS_H
#define HPC_CONV2D_STREAM_SUMS_H

#include "conv2d/variants/stream_copies.h"

namespace
{

/* A piece of x's, as floats. */
template <class F> DEVICE void stream_piece(uint32_t at, float (&v)[F::PIECE])
{
    uint32_t word[4];
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
                 : "r"(at)
                 : "memory");
#pragma unroll
    for (int i = 0; i < 4; i++)
        if constexpr (F::FLOATS) {
            v[i] = __uint_as_float(word[i]);
        } else {
            const float2 two = floats_of(word[i]);
            v[2 * i] = two.x;
            v[2 * i + 1] = two.y;
        }
}

/* The thread's S, one after another: f(row of S in shared memory, piece, sums). */
template <class F, class T> DEVICE void stream_sums(uint32_t x, const T &f)
{
#pragma unroll 1
    for (int item = threadIdx.x; item < F::ITEMS; item += F::THREADS) {
        const int piece = item % F::PIECES, j = item / F::PIECES % F::SIDE;
        const int segment = item / (F::PIECES * F::SIDE) % F::SEGMENTS;
        const int image = item / (F::PIECES * F::SIDE * F::SEGMENTS), i = segment * F::SEGMENT;
        uint32_t at = x + ((image * F::X_SIDE + i) * F::X_SIDE + j) * F::PIECES * 16 + piece * 16;
        int row = image * F::APART + i * F::SIDE + j % 2 * F::ODD + j / 2;
        const int rows = min((int)F::SEGMENT, F::SIDE - i);
        float last[F::PIECE], here[F::PIECE], next[F::PIECE];
        stream_piece<F>(at, last);
        stream_piece<F>(at + F::PIECES * 16, next);
#pragma unroll
        for (int e = 0; e < F::PIECE; e++)
            last[e] += next[e];
#pragma unroll 2
        for (int k = 0; k < rows; k++) {
            at += F::X_SIDE * F::PIECES * 16;
            stream_piece<F>(at, here);
            stream_piece<F>(at + F::PIECES * 16, next);
#pragma unroll
            for (int e = 0; e < F::PIECE; e++) {
                here[e] += next[e];
                next[e] = last[e] + here[e];
                last[e] = here[e];
            }
            f(row, piece, next);
            row += F::SIDE;
        }
    }
}

/* The block's largest, and the least of its pieces' largest. */
DEVICE void stream_agree(uint32_t *most, uint32_t *least, uint32_t range)
{
    for (int step = 16; step > 0; step /= 2) {
        *most = max(*most, __shfl_xor_sync(~0u, *most, step));
        *least = min(*least, __shfl_xor_sync(~0u, *least, step));
    }
    if (threadIdx.x % 32 == 0) {
        stream_put(range + threadIdx.x / 32 * 8, *most);
        stream_put(range + threadIdx.x / 32 * 8 + 4, *least);
    }
    __syncthreads();
    for (int i = 0; i < 8; i++) {
        *most = max(*most, stream_word(range + i * 8));
        *least = min(*least, stream_word(range + i * 8 + 4));
    }
}

/* A chunk's S; returns what its products are to be multiplied by, negative where bits are lost. */
template <class F> DEVICE float stream_form(uint32_t base)
{
    if constexpr (!F::FLOATS) {
        stream_sums<F>(base + F::X_AT, [&](int row, int piece, const float(&v)[F::PIECE]) {
            store_16(base + operand_piece<F::ROW_BYTES>(row, piece),
                     make_uint4(halves_of(v[0], v[1]), halves_of(v[2], v[3]), halves_of(v[4], v[5]),
                                halves_of(v[6], v[7])));
        });
        return 1;
    } else {
        uint32_t most = 0, least = ~0u;
        stream_sums<F>(base + F::X_AT, [&](int, int, const float(&v)[F::PIECE]) {
            uint32_t top = 0;
#pragma unroll
            for (int e = 0; e < F::PIECE; e++)
                top = max(top, __float_as_uint(v[e]) & 0x7fffffffu);
            most = max(most, top);
            least = min(least, top - 1);
        });
        stream_agree(&most, &least, base + F::RANGE_AT);
        const int exponent = scale_exponent<14>(most);
        const float scale = power_of_two(exponent), unscale = power_of_two(-exponent);
        stream_sums<F>(base + F::X_AT, [&](int row, int piece, const float(&v)[F::PIECE]) {
            const float f[4] = {v[0] * scale, v[1] * scale, v[2] * scale, v[3] * scale};
            const uint32_t a = halves_of(f[0], f[1]), b = halves_of(f[2], f[3]);
            const uint32_t to = base + operand_piece<F::ROW_BYTES>(row, piece / 2) + piece % 2 * 8;
            store_8(to, a, b);
            if (F::HALVES == 2) {
                const float2 u = floats_of(a), w = floats_of(b);
                store_8(to + F::S_HALF, halves_of((f[0] - u.x) * LOWER, (f[1] - u.y) * LOWER),
                        halves_of((f[2] - w.x) * LOWER, (f[3] - w.y) * LOWER));
            }
        });
        return least != ~0u && ((least + 1) >> 23) + LOST < most >> 23 ? -unscale : unscale;
    }
}

} // namespace

#endif
