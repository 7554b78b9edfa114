/* The part of `minibatch` that depends on the SIMD level. It is included once a level, with
 *   LEVEL  a suffix for the names: avx512     TARGET  a function attribute, or nothing
 *   LANES  floats in a vector                 TILE    rows of a register tile, at most 14
 * and leaves a struct level behind, level_LEVEL.
 * Included without them, it compiles for vectors of 4. */
#include "mlp/variants/minibatch_panels.h"

#ifndef LEVEL
#define LEVEL generic
#define TARGET
#define LANES 4
#define TILE  6
#endif
#define JOIN2(a, b) a##_##b
#define JOIN(a, b)  JOIN2(a, b)
#define FN(name)    JOIN(name, LEVEL)
#define VEC         FN(vec)
#define INTS        FN(ints)
#define INLINE      static inline __attribute__((always_inline)) TARGET

typedef float VEC __attribute__((vector_size(LANES * 4), may_alias));
typedef int INTS __attribute__((vector_size(LANES * 4), may_alias));

/* c[r][j] = scale * sum_t a[r][t] b[t][j], added to what is there where `add`, for r < rows and
 * `vectors` (1 or 2) vectors of j, both known at compile time. Element (r, t) of a is at
 * (t / PANEL) * a_block + (t % PANEL) * a_term + r * a_row; rows of b and c are PANEL apart. */
INLINE void FN(tile)(const int rows, const int vectors, int terms, const float *a, const int a_row,
                     const int a_term, size_t a_block, const float *b, float *c, float scale,
                     int add)
{
    VEC sum[TILE][2] = {{{0}}};
    for (int r = 0; r < rows; r++)
        __builtin_prefetch(c + r * PANEL, 1);
    for (; terms > 0; terms -= PANEL, a += a_block) {
        const int n = terms < PANEL ? terms : PANEL;
        const float *at = a;
        for (int t = 0; t < n; t++, at += a_term, b += PANEL) {
            const VEC b0 = *(const VEC *)b, b1 = *(const VEC *)(b + (vectors - 1) * LANES);
#pragma GCC unroll 14
            for (int r = 0; r < rows; r++) {
                sum[r][0] += at[r * a_row] * b0;
                if (vectors == 2)
                    sum[r][1] += at[r * a_row] * b1;
            }
        }
    }
#pragma GCC unroll 14
    for (int r = 0; r < rows; r++) {
        for (int v = 0; v < vectors; v++) {
            VEC *to = (VEC *)(c + r * PANEL + v * LANES);
            *to = add ? *to + scale * sum[r][v] : scale * sum[r][v];
        }
    }
}

/* One row tile of `rows` at (i, j) of the product, terms first .. first + terms - 1. */
TARGET static void FN(dispatch)(const struct product *q, int rows, int vectors, int i, int j,
                                int first, int terms)
{
    const float *b = q->b + (size_t)(j / PANEL) * q->b_panel + first * PANEL + j % PANEL;
    float *c = q->c + (size_t)(j / PANEL) * q->c_panel + i * PANEL + j % PANEL;
    const int add = q->add || first;
    const float *along = q->a + (size_t)(first / PANEL) * q->a_panel + i * PANEL;
    const float *across = q->a + (size_t)(i / PANEL) * q->a_panel + first * PANEL + i % PANEL;
    switch (rows * 4 + (vectors - 1) * 2 + q->a_along) {
#define CASE(r)                                                                                    \
    case (r)*4:                                                                                    \
        FN(tile)(r, 1, terms, across, 1, PANEL, PANEL * PANEL, b, c, q->scale, add);               \
        break;                                                                                     \
    case (r)*4 + 1:                                                                                \
        FN(tile)(r, 1, terms, along, PANEL, 1, q->a_panel, b, c, q->scale, add);                   \
        break;                                                                                     \
    case (r)*4 + 2:                                                                                \
        FN(tile)(r, 2, terms, across, 1, PANEL, PANEL * PANEL, b, c, q->scale, add);               \
        break;                                                                                     \
    case (r)*4 + 3:                                                                                \
        FN(tile)(r, 2, terms, along, PANEL, 1, q->a_panel, b, c, q->scale, add);                   \
        break;
        CASE(1)
        CASE(2)
        CASE(3)
        CASE(4)
        CASE(5)
        CASE(6)
#if TILE > 6
        CASE(7)
        CASE(8)
        CASE(9)
        CASE(10)
        CASE(11)
        CASE(12)
#endif
#if TILE > 12
        CASE(13)
        CASE(14)
#endif
#undef CASE
    }
}

/* The block [row, row_end) x [column, column_end) of the product; both begin at multiples of
 * PANEL. The terms are cut into chunks, so that a chunk of a panel of b stays in L1 while all row
 * tiles use it; rows are cut into tiles that differ by one at most. */
TARGET static void FN(multiply)(const struct product *q, int row, int row_end, int column,
                                int column_end)
{
    const int chunks = (q->terms + CHUNK - 1) / CHUNK;
    const int chunk = round_up((q->terms + chunks - 1) / chunks, PANEL);
    const int group = q->a_along ? row_end - row : PANEL; /* tiles do not cross panels of a */
    for (int first = 0; first < q->terms; first += chunk) {
        const int terms = least(chunk, q->terms - first);
        for (int j = column; j < column_end; j += 2 * LANES) {
            const int vectors = column_end - j > LANES ? 2 : 1;
            for (int g = row; g < row_end; g += group) {
                const int rows = least(group, row_end - g), tiles = (rows + TILE - 1) / TILE;
                for (int t = 0; t < tiles; t++) {
                    const int i = g + rows * t / tiles, end = g + rows * (t + 1) / tiles;
                    FN(dispatch)(q, end - i, vectors, i, j, first, terms);
                }
            }
        }
    }
}

/* o[(r / PANEL) * panel + c * PANEL + r % PANEL] = x[r * ld + c], for r < rows and c < columns:
 * squares of 4 by shuffles, the rest one by one. o is aligned, x need not be. */
TARGET static void FN(turn)(int rows, int columns, const float *x, size_t ld, float *o,
                            size_t panel)
{
    typedef float four __attribute__((vector_size(16), may_alias));
    typedef float loose __attribute__((vector_size(16), may_alias, aligned(4)));
    const int whole_rows = rows & ~3, whole_columns = columns & ~3;
    for (int r = 0; r < whole_rows; r += 4) {
        float *to = o + (size_t)(r / PANEL) * panel + r % PANEL;
        for (int c = 0; c < whole_columns; c += 4) {
            const float *from = x + (size_t)r * ld + c;
            const four a = *(const loose *)from, b = *(const loose *)(from + ld);
            const four d = *(const loose *)(from + 2 * ld), e = *(const loose *)(from + 3 * ld);
            const four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
            const four ab2 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
            const four de = __builtin_shufflevector(d, e, 0, 4, 1, 5);
            const four de2 = __builtin_shufflevector(d, e, 2, 6, 3, 7);
            *(four *)(to + (c + 0) * PANEL) = __builtin_shufflevector(ab, de, 0, 1, 4, 5);
            *(four *)(to + (c + 1) * PANEL) = __builtin_shufflevector(ab, de, 2, 3, 6, 7);
            *(four *)(to + (c + 2) * PANEL) = __builtin_shufflevector(ab2, de2, 0, 1, 4, 5);
            *(four *)(to + (c + 3) * PANEL) = __builtin_shufflevector(ab2, de2, 2, 3, 6, 7);
        }
    }
    for (int r = 0; r < rows; r++)
        for (int c = r < whole_rows ? whole_columns : 0; c < columns; c++)
            o[(size_t)(r / PANEL) * panel + c * PANEL + r % PANEL] = x[(size_t)r * ld + c];
}

/* mask ? a : b, by lanes. */
INLINE VEC FN(pick)(INTS mask, VEC a, VEC b)
{
    return (VEC)((mask & (INTS)a) | (~mask & (INTS)b));
}

/* exp(x) within 2 ulp for x in [-87, 88], to which x is clamped: x = n ln 2 + r, a polynomial of r
 * (with the coefficients of Cephes' expf), and n added to the exponent. */
INLINE VEC FN(exp)(VEC x)
{
    const VEC zero = {0}, low = zero - 87.0f, high = zero + 88.0f, magic = zero + 0x1.8p23f;
    x = FN(pick)(x > low, x, low);
    x = FN(pick)(x < high, x, high);
    const VEC shifted = x * 0x1.715476p0f + magic, n = shifted - magic;
    const VEC r = x - n * 0.693359375f + n * 2.12194440e-4f;
    VEC y = r * 1.9875691500e-4f + 1.3981999507e-3f;
    y = y * r + 8.3334519073e-3f;
    y = y * r + 4.1665795894e-2f;
    y = y * r + 1.6666665459e-1f;
    y = y * r + 5.0000001201e-1f;
    y = y * (r * r) + r + 1.0f;
    return y * (VEC)(((INTS)shifted - (INTS)magic + 127) << 23);
}

INLINE VEC FN(tanh)(VEC x)
{
    const VEC z = x * x, far = 1.0f - 2.0f / (1.0f + FN(exp)(2.0f * x));
    VEC y = z * -5.70498872745e-3f + 2.06390887954e-2f; /* near 0, as in Cephes' tanhf */
    y = y * z - 5.37397155531e-2f;
    y = y * z + 1.33314422036e-1f;
    y = y * z - 3.33332819422e-1f;
    return FN(pick)(z < 0.390625f, y * z * x + x, far);
}

/* z[units][PANEL] becomes activation(z); softmax runs over the units of each column. */
TARGET static void FN(activate)(int activation, int units, float *z)
{
    const VEC zero = {0};
    VEC *const end = (VEC *)(z + units * PANEL);
    if (activation == MLP_SOFTMAX) {
        for (VEC *v = (VEC *)z; v < (VEC *)(z + PANEL); v++) {
            VEC highest = *v, sum = zero;
            for (VEC *u = v; u < end; u += PANEL / LANES)
                highest = FN(pick)(*u > highest, *u, highest);
            for (VEC *u = v; u < end; u += PANEL / LANES)
                sum += *u = FN(exp)(*u - highest);
            for (VEC *u = v; u < end; u += PANEL / LANES)
                *u /= sum;
        }
    }
    for (VEC *u = (VEC *)z; u < end; u++) {
        if (activation == MLP_RELU)
            *u = FN(pick)(*u > zero, *u, zero);
        else if (activation == MLP_SIGMOID)
            *u = 1.0f / (1.0f + FN(exp)(-*u));
        else if (activation == MLP_TANH)
            *u = FN(tanh)(*u);
    }
}

/* e[units][PANEL] becomes the delta, from the outputs o. */
TARGET static void FN(delta)(int activation, int units, const float *o, float *e)
{
    const VEC zero = {0}, *ov = (const VEC *)o;
    VEC *ev = (VEC *)e;
    if (activation == MLP_SOFTMAX) {
        for (int v = 0; v < PANEL / LANES; v++) {
            VEC dot = zero;
            for (int u = v; u < units * (PANEL / LANES); u += PANEL / LANES)
                dot += ev[u] * ov[u];
            for (int u = v; u < units * (PANEL / LANES); u += PANEL / LANES)
                ev[u] = ov[u] * (ev[u] - dot);
        }
    }
    for (int u = 0; u < units * (PANEL / LANES); u++) {
        if (activation == MLP_RELU)
            ev[u] = FN(pick)(ov[u] > zero, ev[u], zero);
        else if (activation == MLP_SIGMOID)
            ev[u] *= ov[u] * (1.0f - ov[u]);
        else if (activation == MLP_TANH)
            ev[u] *= 1.0f - ov[u] * ov[u];
    }
}

static const struct level FN(level) = {FN(multiply), FN(turn), FN(activate), FN(delta)};

#undef LEVEL
#undef TARGET
#undef LANES
#undef TILE
#undef JOIN
#undef JOIN2
#undef FN
#undef VEC
#undef INTS
#undef INLINE
