/* The products of a warp of pool_stream.h, its sums, and how they come to y. */
#ifndef HPC_CONV2D_STREAM_WARP_H
#define HPC_CONV2D_STREAM_WARP_H

#include "conv2d/variants/stream_sums.h"

namespace
{

template <class F> struct stream_warp {
    enum { CROSS = F::PRODUCTS == 3 ? F::NT : 1, TOTAL = F::FLOATS ? F::NT : 1 };
    int row[F::MT]; /* of S, tap 0, that this lane points to */
    int column;     /* the filter that it points to, of the warp's first 16 */
    float main[F::MT][F::NT][4], cross[F::MT][CROSS][4], total[F::MT][TOTAL][4];

    DEVICE stream_warp()
    {
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
        for (int i = 0; i < F::MT; i++) {
            const int m = (warp % F::WARPS_M * F::MT + i) * 16 + lane % 16;
            row[i] = F::SMALL ? (m >> 2 & 3) * F::APART + (m >> 4) * 2 * F::SIDE + (m & 3)
                              : (m >> 3) * 2 * F::SIDE + (m & 7);
        }
        column = warp / F::WARPS_M * F::NT * 8 + lane / 16 * 8 + lane % 8;
#pragma unroll
        for (int i = 0; i < F::MT; i++)
#pragma unroll
            for (int e = 0; e < 4; e++) {
#pragma unroll
                for (int n = 0; n < F::NT; n++)
                    main[i][n][e] = 0;
#pragma unroll
                for (int n = 0; n < CROSS; n++)
                    cross[i][n][e] = 0;
#pragma unroll
                for (int n = 0; n < TOTAL; n++)
                    total[i][n][e] = 0;
            }
    }

    /* += S w over a tap's 32 channels; `shift` rows further. */
    DEVICE void multiply(uint32_t s, uint32_t w, int shift)
    {
        const int lane = threadIdx.x % 32;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            uint32_t a[F::MT][4], lower[F::MT][4], b[4], low[4];
#pragma unroll
            for (int i = 0; i < F::MT; i++) {
                const uint32_t at =
                    s + operand_piece<F::ROW_BYTES>(row[i] + shift, 2 * k + lane / 16);
                load_matrices(a[i], at);
                if constexpr (F::PRODUCTS == 3)
                    load_matrices(lower[i], at + F::S_HALF);
            }
#pragma unroll
            for (int n = 0; n < F::NT; n += 2) {
                const uint32_t at =
                    w + operand_piece<F::ROW_BYTES>(column + n * 8, 2 * k + lane / 8 % 2);
                load_matrices(b, at);
                if constexpr (F::PRODUCTS == 3)
                    load_matrices(low, at + F::W_HALF);
#pragma unroll
                for (int i = 0; i < F::MT; i++) {
                    multiply_16(main[i][n], a[i], b[0], b[1]);
                    multiply_16(main[i][n + 1], a[i], b[2], b[3]);
                    if constexpr (F::PRODUCTS == 3) {
                        multiply_16(cross[i][n], lower[i], b[0], b[1]);
                        multiply_16(cross[i][n + 1], lower[i], b[2], b[3]);
                        multiply_16(cross[i][n], a[i], low[0], low[1]);
                        multiply_16(cross[i][n + 1], a[i], low[2], low[3]);
                    }
                }
            }
        }
    }

    template <int N> DEVICE void move(float (&from)[F::MT][N][4], float factor)
    {
#pragma unroll
        for (int i = 0; i < F::MT; i++)
#pragma unroll
            for (int n = 0; n < N; n++)
#pragma unroll
                for (int e = 0; e < 4; e++) {
                    total[i][n][e] = fmaf(from[i][n][e], factor, total[i][n][e]);
                    from[i][n][e] = 0;
                }
    }

    /* What the outputs are made of. */
    DEVICE float (&sums(int i, int n))[4]
    {
        return F::FLOATS ? total[i][F::FLOATS ? n : 0] : main[i][n];
    }

    /* To y; what is not finite, or all where bits were lost, once more as it is defined. */
    DEVICE void store(const pool_call &call, int subtile, int filter, bool lost) const
    {
        typedef typename F::element T;
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        const int k = filter + warp / F::WARPS_M * F::NT * 8 + lane % 4 * 2;
#pragma unroll
        for (int i = 0; i < F::MT; i++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int m = (warp % F::WARPS_M * F::MT + i) * 16 + h * 8 + lane / 4;
                const pool_place at = place_of<F>(call, subtile, m);
                T *to = (T *)call.y + place_index<F>(call, at) + k;
                float watched = 0;
                if (!at.there)
                    continue;
#pragma unroll
                for (int n = 0; n < F::NT; n++) {
                    pack<T, 2> two;
#pragma unroll
                    for (int e = 0; e < 2; e++) {
                        const float sum = F::FLOATS ? total[i][F::FLOATS ? n : 0][2 * h + e]
                                                    : main[i][n][2 * h + e];
                        watched = fmaf(sum, 0.0f, watched);
                        two.v[e] = T(sum * (F::FLOATS ? call.unscale[k + 8 * n + e] : 0.25f));
                    }
                    two.store(to, 8 * n);
                }
                if (lost || watched != 0)
#pragma unroll 1
                    for (int n = 0; n < F::NT; n++)
                        mend_piece<F, 2>(call, at, k + 8 * n, lost);
            }
    }
};

} // namespace

#endif
