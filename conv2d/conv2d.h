/* The operation "conv2d": what its variants see. Cross-correlation of images with filters, as
 * neural networks have it (filters are not flipped):
 *
 *   y[n][k][p][q] = sum over c < C, r < R, s < S of w[k][c][r][s] * x[n][c][i][j]
 *   with i = p * stride + r - pad, j = q * stride + s - pad, and x zero outside of its map,
 *   for p < P = (H + 2 pad - R) / stride + 1, q < Q likewise.
 *
 * in[CONV2D_X]: x; in[CONV2D_W]: w, fixed (the same in every call); out[CONV2D_Y]: y. Contiguous,
 * not overlapping. Layout CONV_NCHW: x [N][C][H][W], w [K][C][R][S], y [N][K][P][Q];
 * CONV_NHWC: x [N][H][W][C], w [K][R][S][C], y [N][P][Q][K].
 * Type CONV_F32: floats, to the accuracy of fp32 arithmetic. CONV_TF32: floats; products of factors
 * of 11 bits will do. CONV_F16: all arrays are IEEE halves, sums to the accuracy of fp32.
 * Cost: 2 N K P Q C R S FLOP; at least all bytes of x, w and y. */
#ifndef HPC_CONV2D_CONV2D_H
#define HPC_CONV2D_CONV2D_H

#include <stddef.h>
#include <stdint.h>

#include "common/abi.h"

#ifdef __CUDACC__
#define CONV_INLINE static __host__ __device__ inline
#else
#define CONV_INLINE static inline
#endif

enum conv_layout { CONV_NCHW, CONV_NHWC };
enum conv_type { CONV_F32, CONV_TF32, CONV_F16 };

struct conv2d_problem {
    int32_t n, c, h, w;   /* images, their channels, rows and columns: >= 1 */
    int32_t k, r, s;      /* filters, their rows and columns: r <= h + 2 pad, s <= w + 2 pad */
    int32_t stride;       /* >= 1 */
    int32_t pad;          /* zeros on each side, >= 0 */
    int32_t layout, type; /* enum conv_layout, enum conv_type */
};

enum { CONV2D_X, CONV2D_W, CONV2D_N_IN };
enum { CONV2D_Y, CONV2D_N_OUT };

/* Rows and columns of y. */
CONV_INLINE int conv2d_rows(const struct conv2d_problem *p)
{
    return (p->h + 2 * p->pad - p->r) / p->stride + 1;
}

CONV_INLINE int conv2d_columns(const struct conv2d_problem *p)
{
    return (p->w + 2 * p->pad - p->s) / p->stride + 1;
}

/* Elements of x, w and y. */
CONV_INLINE size_t conv2d_x_count(const struct conv2d_problem *p)
{
    return (size_t)p->n * (size_t)p->c * (size_t)p->h * (size_t)p->w;
}

CONV_INLINE size_t conv2d_w_count(const struct conv2d_problem *p)
{
    return (size_t)p->k * (size_t)p->c * (size_t)p->r * (size_t)p->s;
}

CONV_INLINE size_t conv2d_y_count(const struct conv2d_problem *p)
{
    return (size_t)p->n * (size_t)p->k * (size_t)conv2d_rows(p) * (size_t)conv2d_columns(p);
}

/* Index of x[n][c][i][j], w[k][c][r][s] and y[n][k][p][q], in the problem's layout. */
CONV_INLINE size_t conv2d_x_at(const struct conv2d_problem *p, int n, int c, int i, int j)
{
    if (p->layout == CONV_NCHW)
        return (((size_t)n * p->c + c) * p->h + i) * p->w + j;
    return (((size_t)n * p->h + i) * p->w + j) * p->c + c;
}

CONV_INLINE size_t conv2d_w_at(const struct conv2d_problem *p, int k, int c, int r, int s)
{
    if (p->layout == CONV_NCHW)
        return (((size_t)k * p->c + c) * p->r + r) * p->s + s;
    return (((size_t)k * p->r + r) * p->s + s) * p->c + c;
}

CONV_INLINE size_t conv2d_y_at(const struct conv2d_problem *p, int n, int k, int row, int column)
{
    const int rows = conv2d_rows(p), columns = conv2d_columns(p);
    if (p->layout == CONV_NCHW)
        return (((size_t)n * p->k + k) * rows + row) * columns + column;
    return (((size_t)n * rows + row) * columns + column) * p->k + k;
}

#endif
