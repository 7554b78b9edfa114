/* What the fast path can't do, output by output, as the operation is defined: infinities and NaN in
 * x or w, sums that are too large for a half, numbers too small beside their tile's largest. Seldom
 * needed, and slow. */
#ifndef HPC_CONV2D_POOL_MEND_H
#define HPC_CONV2D_POOL_MEND_H

#include "conv2d/variants/pool_call.h"

namespace
{

/* y[image][k][u][v] from x and w, in floats. */
template <class T>
DEVICE float defined_output(const struct convpool_problem &p, const T *x, const T *w, int image,
                            int k, int u, int v)
{
    const struct conv2d_problem &q = p.conv;
    const float share = 1 / (float)(p.pool * p.pool);
    const size_t x_step = q.layout == CONV_NHWC ? 1 : (size_t)q.h * q.w;
    const size_t w_step = q.layout == CONV_NHWC ? 1 : (size_t)q.r * q.s;
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < p.pool * p.pool * q.r * q.s; i++) {
        const int s = i % q.s, r = i / q.s % q.r, pool = i / (q.s * q.r);
        const int row = u * p.pool + pool / p.pool + r - q.pad;
        const int column = v * p.pool + pool % p.pool + s - q.pad;
        if (row < 0 || row >= q.h || column < 0 || column >= q.w)
            continue;
        const T *from = x + conv2d_x_at(&q, image, 0, row, column);
        const T *with = w + conv2d_w_at(&q, k, 0, r, s);
        float part = 0;
#pragma unroll 1
        for (int c = 0; c < q.c; c++)
            part = fmaf((float)from[c * x_step], (float)with[c * w_step], part);
        sum = fmaf(part, share, sum);
    }
    return sum;
}

DEVICE bool not_finite(float v)
{
    return !(fabsf(v) <= 3.4028235e38f);
}

/* N outputs from filter k on that this thread, or one that it was synchronised with, has stored:
 * those that are not finite, or all. */
template <class F, int N>
DEVICE void mend_piece(const pool_call &call, const pool_place &at, int k, bool all = false)
{
    typedef typename F::element T;
    const size_t step = filter_step<F>(call);
    T *y = (T *)call.y + place_index<F>(call, at) + k * step;
#pragma unroll 1
    for (int e = 0; e < N; e++, y += step)
        if (all || not_finite((float)*y))
            *y = T(defined_output(call.p, (const T *)call.x, (const T *)call.w, at.image, k + e,
                                  at.u, at.v));
}

/* A warp's 16 rows of a subtile, from row `first` on, N filters. */
template <class F, int N = F::FILTERS>
DEVICE void mend_rows(const pool_call &call, int subtile, int first, int filter, int lane, bool all)
{
    enum { ACROSS = N / 8 };
#pragma unroll 1
    for (int i = lane; i < 16 * ACROSS; i += 32) {
        const pool_place at = place_of<F>(call, subtile, first + i / ACROSS);
        if (at.there)
            mend_piece<F, 8>(call, at, filter + i % ACROSS * 8, all);
    }
}

} // namespace

#endif
