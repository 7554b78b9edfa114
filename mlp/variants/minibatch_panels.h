/* The layout of `minibatch`: every matrix lies in panels that are PANEL columns wide, one behind
 * the other, each row-major, so that all three products of a training step find their operands
 * and leave their results in place: weights are brought into panels once a run, not once a
 * product.
 *
 *   weights W_l           panels of units of layer l+1, rows are the bias and the units of l
 *   outputs O[l]          panels of samples, rows are a 1 for the bias and the units of l
 *   errors, deltas D[l]   panels of samples, rows are the units of l
 *   turned deltas D[l]    panels of units of l, rows are samples */
#ifndef HPC_MLP_MINIBATCH_PANELS_H
#define HPC_MLP_MINIBATCH_PANELS_H

#include <stddef.h>

#include "mlp/mlp.h"

enum {
    PANEL = 32,  /* columns of a panel: two AVX-512 vectors */
    CHUNK = 192, /* terms of a sum at a time, a multiple of PANEL: 24 KiB of b, a part of L1 */
};

/* c[i][j] = scale * sum_t a[i][t] * b[t][j], added to c where `add`, for i < rows, j < columns,
 * t < terms. b and c are panels of columns j. a is panels of columns t, rows i, where `a_along`;
 * else panels of columns i, rows t. X_panel: floats from one panel of X to the next. */
struct product {
    int rows, columns, terms;
    int a_along, add;
    float scale;
    const float *a, *b;
    float *c;
    size_t a_panel, b_panel, c_panel;
};

/* The functions that depend on the SIMD level (minibatch_tile.h). */
struct level {
    /* The block [row, row_end) x [column, column_end), which begins at multiples of PANEL. */
    void (*multiply)(const struct product *q, const void *scratch, int row, int row_end, int column,
                     int column_end);
    /* A level that prepares operands in scratch before a product: the bytes it needs for units and
     * samples of at most these numbers, how many pieces of work, one piece of it. Else NULL. */
    size_t (*scratch)(int units, int samples);
    int (*pieces)(const struct product *q);
    void (*prepare)(const struct product *q, void *scratch, int piece);
    /* Blocks of at most so many rows and columns, at least `share` a thread where panels allow.
     * 0: 4 * PANEL, 4 * PANEL, 3. */
    int rows, columns, share;
    /* o[(r / PANEL) * panel + c * PANEL + r % PANEL] = x[r * ld + c], r < rows, c < columns. */
    void (*turn)(int rows, int columns, const float *x, size_t ld, float *o, size_t panel);
    /* z[units][PANEL] becomes activation(z). */
    void (*activate)(int activation, int units, float *z);
    /* e[units][PANEL] becomes the delta, from the outputs o. */
    void (*delta)(int activation, int units, const float *o, float *e);
};

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

static inline int round_up(int n, int multiple)
{
    return (n + multiple - 1) / multiple * multiple;
}

#endif
