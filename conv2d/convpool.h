/* The operation "convpool": a convolution (conv2d.h) with stride 1, then average pooling of
 * pool x pool outputs, without overlap; rows and columns that do not fill a pool are left out:
 *
 *   y[n][k][u][v] = 1/pool^2 sum over a, b < pool of conv[n][k][u * pool + a][v * pool + b]
 *   for u < P / pool, v < Q / pool.
 *
 * Arrays, layouts and types as in conv2d.h, with y [N][K][P/pool][Q/pool] or
 * [N][P/pool][Q/pool][K]. Type CONV_F16: one intermediate of a variant (convolution, sums of x,
 * sums of w) may be rounded to half.
 *
 * Both steps are linear, so they may change places ([Suita], formulas 4 and 5), with alpha the
 * pool x pool filter of 1/pool^2 and S_p picking every pool-th row and column:
 *   S_p((X * W) * alpha) = S_p(X * (W * alpha)) = S_p((X * alpha) * W).
 * Neither holds for max pooling, nor with an activation between the two: max(a + b, c) and
 * relu(a) + relu(b) are no sums. The operation refuses both.
 * Cost as defined: 2 N K (pool P')(pool Q') C R S + N K P' Q' pool^2 FLOP, P' = P / pool. */
#ifndef HPC_CONV2D_CONVPOOL_H
#define HPC_CONV2D_CONVPOOL_H

#include "conv2d/conv2d.h"

struct convpool_problem {
    struct conv2d_problem conv; /* its stride is 1 */
    int32_t pool;               /* >= 1, at most conv2d_rows and conv2d_columns */
};

/* Rows and columns of y. */
CONV_INLINE int convpool_rows(const struct convpool_problem *p)
{
    return conv2d_rows(&p->conv) / p->pool;
}

CONV_INLINE int convpool_columns(const struct convpool_problem *p)
{
    return conv2d_columns(&p->conv) / p->pool;
}

CONV_INLINE size_t convpool_y_count(const struct convpool_problem *p)
{
    return (size_t)p->conv.n * (size_t)p->conv.k * (size_t)convpool_rows(p) *
           (size_t)convpool_columns(p);
}

#endif
