/* The products of a subtile of 16 outputs with 32 channels and filters, floats: by single warps,
 * for three quarters of a warpgroup's rows would be idle. The four warps share K, each half of the
 * channels of every second tap, whose weights wait in its registers before S is there; their sums
 * meet in shared memory. The first terms start anew each time (pool_three.h: what is cut). */
#ifndef HPC_CONV2D_POOL_FEW_H
#define HPC_CONV2D_POOL_FEW_H

#include "conv2d/variants/pool_strips.h"
#include "conv2d/variants/pool_three.h"
#include "conv2d/variants/pool_warp.h"

namespace
{

template <class F, int PRODUCTS> struct tile_sums<F, PRODUCTS, true> {
    enum {
        COLUMNS = F::FILTERS / 8, /* of 8 filters: results of one instruction */
        TAPS = 5,                 /* of a warp; the last two have one less */
        PART = COLUMNS * 32 * 16, /* bytes: a warp's sums */
        SUMS_MEET = 8,            /* a named barrier */
    };
    float v[F::FILTERS / 2];
    float all[COLUMNS][4], cross[COLUMNS][4];
    uint32_t weights[TAPS][F::HALVES][COLUMNS / 2][4];

    DEVICE void load_weights(uint32_t (&w)[F::HALVES][COLUMNS / 2][4], uint32_t stage, int part,
                             int lane)
    {
        const int row = lane / 16 * 8 + lane % 8, piece = part * 2 + lane / 8 % 2;
#pragma unroll
        for (int half = 0; half < F::HALVES; half++)
#pragma unroll
            for (int j = 0; j < COLUMNS / 2; j++)
                load_matrices(w[half][j], stage + half * F::W_HALF +
                                              operand_piece<F::ROW_BYTES>(j * 16 + row, piece));
    }

    DEVICE void add_tap(const product_stages<F> *at, const uint32_t (&w)[F::HALVES][COLUMNS / 2][4],
                        int tap, int part, float unscale)
    {
        const uint32_t s = at->base + F::S_AT + at->s.stage * F::S_STAGE;
        const int row = F::tap_row(tap / 3, tap % 3) + at->lane % 16;
        const uint32_t from = s + operand_piece<F::ROW_BYTES>(row, part * 2 + at->lane / 16);
        uint32_t upper[4], lower[4];
        load_matrices(upper, from);
        if (F::HALVES == 2)
            load_matrices(lower, from + F::S_HALF);
#pragma unroll
        for (int j = 0; j < COLUMNS; j++) {
            const uint32_t *a = &w[0][j / 2][j % 2 * 2], *b = &w[F::HALVES - 1][j / 2][j % 2 * 2];
            float main[4] = {0, 0, 0, 0};
            multiply_16(main, upper, a[0], a[1]);
            if (F::HALVES == 2) {
                multiply_16(cross[j], lower, a[0], a[1]);
                multiply_16(cross[j], upper, b[0], b[1]);
            }
#pragma unroll
            for (int e = 0; e < 4; e++)
                all[j][e] = fmaf(main[e], unscale, all[j][e]);
        }
    }

    /* The warp is not said to be one for all lanes: two copies of this code, for the last tap that
     * half of the warps have not, would take longer to fetch. */
    DEVICE bool multiply(product_stages<F> *at, int /* chunks: one */)
    {
        const int warp = threadIdx.x / 32 % 4, part = warp % 2, first = warp / 2;
#pragma unroll
        for (int i = 0; i < COLUMNS * 4; i++)
            all[i / 4][i % 4] = cross[i / 4][i % 4] = 0;
#pragma unroll
        for (int i = 0; i < TAPS; i++) {
            const int tap = first + 2 * i;
            if (tap < 9) {
                barrier_wait(F::w_full(at->base, tap), 0);
                load_weights(weights[i], at->base + F::W_AT + tap * F::W_STAGE, part, at->lane);
            }
        }
        const float read = at->wait_sums(), unscale = fabsf(read);
#pragma unroll
        for (int i = 0; i < TAPS; i++)
            if (first + 2 * i < 9)
                add_tap(at, weights[i], first + 2 * i, part, unscale);
        __syncwarp();
        at->free_sums(at->s.stage);
        at->s.next();
#pragma unroll
        for (int i = 0; i < COLUMNS * 4; i++)
            all[i / 4][i % 4] = fmaf(cross[i / 4][i % 4], unscale / LOWER, all[i / 4][i % 4]);
        return read < 0;
    }

    /* Leaves the tile's sums in the first warp's v, where a warpgroup has these rows. */
    DEVICE void finish(const product_stages<F> *at)
    {
        const int warp = threadIdx.x / 32 % 4;
        const uint32_t parts = at->base + F::PARTS_AT + at->lane * 16;
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            if (warp > 0)
                store_16(parts + (warp - 1) * PART + j * 512,
                         make_uint4(__float_as_uint(all[j][0]), __float_as_uint(all[j][1]),
                                    __float_as_uint(all[j][2]), __float_as_uint(all[j][3])));
        named_sync<128>(SUMS_MEET);
#pragma unroll
        for (int i = 0; i < COLUMNS * 4; i++)
            v[i] = all[i / 4][i % 4];
        if (warp == 0)
#pragma unroll
            for (int i = 0; i < 3 * COLUMNS; i++) {
                const uint4 four = load_16(parts + i * 512);
                float *to = v + i % COLUMNS * 4;
                to[0] += __uint_as_float(four.x);
                to[1] += __uint_as_float(four.y);
                to[2] += __uint_as_float(four.z);
                to[3] += __uint_as_float(four.w);
            }
        named_sync<128>(SUMS_MEET); /* else the next tile's would come over them */
    }
};

} // namespace

#endif
