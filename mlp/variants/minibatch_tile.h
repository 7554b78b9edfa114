/* The part of `minibatch` that depends on the SIMD level: a BODY of levels.h, in float only. Leaves
 * NAME(level) behind, a struct level. TILE rows of a register tile and 2 vectors: 28 of 32
 * registers hold sums with AVX-512, 12 of 16 with AVX2, 24 of 32 with NEON. */
#if !F64
#define LANES (VECTOR_BYTES / 4)
#include "mlp/variants/simd_math.h"
#if VECTOR_BYTES == 64
#define TILE 14
#elif defined(__aarch64__)
#define TILE 12
#else
#define TILE 6
#endif

INLINE void NAME(put)(float *to, VEC v)
{
    __builtin_memcpy(to, &v, sizeof v);
}

/* Ask for rows of a panel, 128 bytes each, ahead of their use. */
INLINE void NAME(fetch)(const int rows, const float *panel)
{
    for (int r = 0; r < rows; r++) {
        __builtin_prefetch(panel + r * PANEL);
        __builtin_prefetch(panel + r * PANEL + PANEL / 2);
    }
}

/* c[r][j] = scale * sum_t a[r][t] b[t][j], added to what is there where `add`, for r < rows and
 * `vectors` (1 or 2) vectors of j, both known at compile time. Element (r, t) of a is at
 * (t / PANEL) * a_block + (t % PANEL) * a_term + r * a_row; rows of b and c are PANEL apart. */
INLINE void NAME(tile)(const int rows, const int vectors, int terms, const float *a,
                       const int a_row, const int a_term, size_t a_block, const float *b, float *c,
                       float scale, int add)
{
    VEC sum[TILE][2] = {{{0}}};
    NAME(fetch)(rows, c);
    for (; terms > 0; terms -= PANEL, a += a_block) {
        const int n = terms < PANEL ? terms : PANEL;
        const float *at = a;
        if (a_term == 1 && terms > PANEL) /* the next block of a is far away */
            NAME(fetch)(rows, a + a_block);
        for (int t = 0; t < n; t++, at += a_term, b += PANEL) {
            const VEC b0 = NAME(load)(b), b1 = NAME(load)(b + (vectors - 1) * LANES);
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
            float *to = c + r * PANEL + v * LANES;
            NAME(put)(to, add ? NAME(load)(to) + scale * sum[r][v] : scale * sum[r][v]);
        }
    }
}

/* One row tile of `rows` at (i, j) of the product, terms first .. first + terms - 1. */
CODE void NAME(dispatch)(const struct product *q, int rows, int vectors, int i, int j, int first,
                         int terms)
{
    const float *b = q->b + (size_t)(j / PANEL) * q->b_panel + first * PANEL + j % PANEL;
    float *c = q->c + (size_t)(j / PANEL) * q->c_panel + i * PANEL + j % PANEL;
    const int add = q->add || first;
    const float *along = q->a + (size_t)(first / PANEL) * q->a_panel + i * PANEL;
    const float *across = q->a + (size_t)(i / PANEL) * q->a_panel + first * PANEL + i % PANEL;
    switch (rows * 4 + (vectors - 1) * 2 + q->a_along) {
#define CASE(r)                                                                                    \
    case (r)*4:                                                                                    \
        NAME(tile)(r, 1, terms, across, 1, PANEL, PANEL * PANEL, b, c, q->scale, add);             \
        break;                                                                                     \
    case (r)*4 + 1:                                                                                \
        NAME(tile)(r, 1, terms, along, PANEL, 1, q->a_panel, b, c, q->scale, add);                 \
        break;                                                                                     \
    case (r)*4 + 2:                                                                                \
        NAME(tile)(r, 2, terms, across, 1, PANEL, PANEL * PANEL, b, c, q->scale, add);             \
        break;                                                                                     \
    case (r)*4 + 3:                                                                                \
        NAME(tile)(r, 2, terms, along, PANEL, 1, q->a_panel, b, c, q->scale, add);                 \
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
CODE void NAME(multiply)(const struct product *q, const void *scratch, int row, int row_end,
                         int column, int column_end)
{
    (void)scratch;
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
                    NAME(dispatch)(q, end - i, vectors, i, j, first, terms);
                }
            }
        }
    }
}

/* o[(r / PANEL) * panel + c * PANEL + r % PANEL] = x[r * ld + c], for r < rows and c < columns:
 * squares of 4 by shuffles, the rest one by one. o is aligned, x need not be. */
CODE void NAME(turn)(int rows, int columns, const float *x, size_t ld, float *o, size_t panel)
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

INLINE VEC NAME(unit)(int activation, VEC z)
{
    const VEC one = NAME(all)(1);
    if (activation == MLP_RELU)
        return NAME(keep)(z > 0, z);
    if (activation == MLP_SIGMOID)
        return one / NAME(exp_plus)(NAME(clamp)(z, EXP_LIMIT), -1, 1);
    if (activation == MLP_TANH) { /* near 0 by its series, as the quotient cancels there */
        const VEC s = z * z, far = one - 2 / NAME(exp_plus)(NAME(clamp)(z, EXP_LIMIT / 2), 2, 1);
        const VEC near =
            z + z * s * (s * (s * (REAL)(-17.0 / 315) + (REAL)(2.0 / 15)) - (REAL)(1.0 / 3));
        return NAME(choose)(s < (REAL)0.01, near, far);
    }
    return z;
}

/* z[units][PANEL] becomes activation(z); softmax runs over the units of each column. */
CODE void NAME(activate_block)(int activation, int units, float *z)
{
    if (activation != MLP_SOFTMAX) {
        for (float *u = z; u < z + units * PANEL; u += LANES)
            NAME(put)(u, NAME(unit)(activation, NAME(load)(u)));
        return;
    }
    for (float *v = z; v < z + PANEL; v += LANES) {
        VEC highest = NAME(load)(v), sum = NAME(all)(0);
        for (float *u = v; u < z + units * PANEL; u += PANEL)
            highest = NAME(choose)(NAME(load)(u) > highest, NAME(load)(u), highest);
        for (float *u = v; u < z + units * PANEL; u += PANEL) {
            const VEC e = NAME(exp_plus)(NAME(clamp)(NAME(load)(u) - highest, EXP_LIMIT), 1, 0);
            sum += e;
            NAME(put)(u, e);
        }
        for (float *u = v; u < z + units * PANEL; u += PANEL)
            NAME(put)(u, NAME(load)(u) / sum);
    }
}

/* e[units][PANEL] becomes the delta, from the outputs o. */
CODE void NAME(delta_block)(int activation, int units, const float *o, float *e)
{
    VEC dot[PANEL / LANES] = {{0}};
    for (int u = 0; activation == MLP_SOFTMAX && u < units * PANEL; u += LANES)
        dot[u % PANEL / LANES] += NAME(load)(e + u) * NAME(load)(o + u);
    for (int u = 0; u < units * PANEL; u += LANES) {
        const VEC ou = NAME(load)(o + u), eu = NAME(load)(e + u);
        if (activation == MLP_RELU)
            NAME(put)(e + u, NAME(keep)(ou > 0, eu));
        else if (activation == MLP_SIGMOID)
            NAME(put)(e + u, eu * ou * (1 - ou));
        else if (activation == MLP_TANH)
            NAME(put)(e + u, eu * (1 - ou * ou));
        else if (activation == MLP_SOFTMAX)
            NAME(put)(e + u, ou * (eu - dot[u % PANEL / LANES]));
    }
}

static const struct level NAME(level) = {
    .multiply = NAME(multiply),
    .turn = NAME(turn),
    .activate = NAME(activate_block),
    .delta = NAME(delta_block),
};

#undef TILE
#include "mlp/variants/simd_end.h"
#endif
