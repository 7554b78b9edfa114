/* Splitting fp32 into three bf16, into the tiles of minibatch_amx: 16 rows (of a) or columns (of b)
 * and 32 terms, two in a word, for each part. Words pair the terms t and t + 16 of 32, on both
 * sides, so that the split of a panel needs no shuffles; only a, where its rows run across panels,
 * is transposed by squares of 16 x 16 words. */
#ifndef HPC_MLP_MINIBATCH_AMX_SPLIT_H
#define HPC_MLP_MINIBATCH_AMX_SPLIT_H

#include "mlp/variants/minibatch_amx_tiles.h"
#include "mlp/variants/minibatch_panels.h"

enum {
    PARTS = 3,                     /* hi, mid, lo */
    STEP = PARTS * 2 * TILE_WORDS, /* words of 32 terms of 32 rows or columns */
};

typedef uint32_t words __attribute__((vector_size(64)));
typedef float floats __attribute__((vector_size(64)));

/* The next 8 bits of each number as words' upper halves; what they leave stays in x. Rounds half
 * away from zero, so the rest has 8 bits less and the third part is exact. */
AMX_INLINE words next_part(floats *x)
{
    const words part = ((words)*x + 0x8000U) & 0xffff0000U;
    *x -= (floats)part;
    return part;
}

/* One row of a tile in each of the three parts, TILE_WORDS apart per tile: terms x and y, 16 apart.
 * What two parts leave has 8 bits: it is the third as it stands. */
AMX_INLINE void split(floats *x, floats *y, uint32_t *to)
{
    for (int part = 0; part < PARTS - 1; part++, to += TILE_WORDS) {
        const words wx = next_part(x), wy = next_part(y);
        *(words *)to = wx >> 16 | wy;
    }
    *(words *)to = (words)*x >> 16 | (words)*y;
}

/* 16 floats at `from` where `valid`, else zeros. */
AMX_INLINE floats load16(const float *from, int valid)
{
    floats v = {0};
    if (valid)
        __builtin_memcpy(&v, from, sizeof v);
    return v;
}

/* 16 terms at `from`, of which `left` count; the rest is zero, whatever the panel holds. */
AMX_INLINE floats load_terms(const float *from, int left)
{
    const words lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const words mask = (words)(lane < (uint32_t)(left > 0 ? left : 0));
    floats v;
    __builtin_memcpy(&v, from, sizeof v);
    return (floats)((words)v & mask);
}

/* 16 x 16 words, rows for columns: squares of 8, 4, 2 and 1 change places. */
AMX_INLINE void transpose(words m[16])
{
#define UPPER(l, h) ((l) & (h) ? 16 + (l) - (h) : (l))
#define LOWER(l, h) ((l) & (h) ? 16 + (l) : (l) + (h))
#define LANES16(F, h)                                                                              \
    F(0, h), F(1, h), F(2, h), F(3, h), F(4, h), F(5, h), F(6, h), F(7, h), F(8, h), F(9, h),      \
        F(10, h), F(11, h), F(12, h), F(13, h), F(14, h), F(15, h)
#define STAGE(h)                                                                                   \
    _Pragma("GCC unroll 16") for (int i = 0; i < 16; i++)                                          \
    {                                                                                              \
        if (i & (h))                                                                               \
            continue;                                                                              \
        const words a = m[i], b = m[i + (h)];                                                      \
        m[i] = __builtin_shufflevector(a, b, LANES16(UPPER, h));                                   \
        m[i + (h)] = __builtin_shufflevector(a, b, LANES16(LOWER, h));                             \
    }
    STAGE(8)
    STAGE(4)
    STAGE(2)
    STAGE(1)
}

/* 32 columns of b: from panels of `from` that hold terms as rows. */
AMX_CODE void split_across(const float *from, int terms, uint32_t *to)
{
    for (int t = 0; t < terms; t += 32, to += STEP) {
        for (int p = 0; p < 16; p++) {
            const float *row = from + (t + p) * PANEL;
            const int second = t + p + 16 < terms;
            for (int half = 0; half < 2; half++) {
                floats x = load16(row + half * 16, t + p < terms);
                floats y = load16(row + half * 16 + 16 * PANEL, second);
                split(&x, &y, to + half * PARTS * TILE_WORDS + p * 16);
            }
        }
    }
}

/* The transposed 16 x 16 square at `from`, of which `rows` are there, else zeros. */
AMX_CODE void turn_square(const float *from, int rows, words m[16])
{
    for (int p = 0; p < 16; p++)
        m[p] = (words)load16(from + p * PANEL, p < rows);
    transpose(m);
}

/* 16 rows of a, 32 terms, of which `terms` count: `from` holds terms as rows. */
AMX_CODE void split_turned(const float *from, int terms, uint32_t *to)
{
    words x[16], y[16];
    turn_square(from, terms, x);
    turn_square(from + 16 * PANEL, terms - 16, y);
    for (int r = 0; r < 16; r++) {
        floats fx = (floats)x[r], fy = (floats)y[r];
        split(&fx, &fy, to + r * 16);
    }
}

/* 16 rows of a, 32 terms, of which `rows` and `terms` count: `from` holds terms as columns. */
AMX_CODE void split_along(const float *from, int rows, int terms, uint32_t *to)
{
    for (int r = 0; r < 16; r++, from += PANEL) {
        floats x = {0}, y = {0};
        if (r < rows && terms >= 32) {
            x = load16(from, 1);
            y = load16(from + 16, 1);
        } else if (r < rows) {
            x = load_terms(from, terms);
            y = load_terms(from + 16, terms - 16);
        }
        split(&x, &y, to + r * 16);
    }
}

#endif
