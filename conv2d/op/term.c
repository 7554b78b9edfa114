/* What a term may ask of the operations of conv2d/: filters in another order. */
#include "conv2d/op/op.h"
#include "conv2d/window_format.h"

/* An element of w: its filter and channel, its row and its column. */
struct place {
    size_t k, c, r, s;
};

static struct place place_of(const struct conv2d_problem *p, size_t i)
{
    const size_t c = (size_t)p->c, r = (size_t)p->r, s = (size_t)p->s;
    if (p->layout == CONV_NCHW)
        return (struct place){i / (c * r * s), i / (r * s) % c, i / s % r, i % s};
    return (struct place){i / (c * r * s), i % c, i / (c * s) % r, i / c % s};
}

/* Where it stands among filters of so many rows and columns. */
static size_t index_of(const struct conv2d_problem *p, const struct place *at, size_t rows,
                       size_t columns)
{
    const size_t c = (size_t)p->c;
    if (p->layout == CONV_NCHW)
        return ((at->k * c + at->c) * rows + at->r) * columns + at->s;
    return ((at->k * rows + at->r) * columns + at->s) * c + at->c;
}

/* A convpool_problem begins with its conv2d_problem. */
static size_t flipped(const void *problem, size_t i)
{
    const struct conv2d_problem *p = problem;
    struct place at = place_of(p, i);
    at.r = (size_t)p->r - 1 - at.r;
    at.s = (size_t)p->s - 1 - at.s;
    return index_of(p, &at, (size_t)p->r, (size_t)p->s);
}

static size_t columns_first(const void *problem, size_t i)
{
    const struct conv2d_problem *p = problem;
    const struct place at = place_of(p, i);
    const struct place turned = {at.k, at.c, at.s, at.r};
    return index_of(p, &turned, (size_t)p->s, (size_t)p->r);
}

_Static_assert((int)CONV2D_W == (int)FORMAT_W, "w is the same input of all three operations");

const struct hpc_term conv_asked[] = {
    {.name = "flipped",
     .says =
         "Filters are stored flipped in both directions: what the header calls w[k][c][r][s] is "
         "w[k][c][R - 1 - r][S - 1 - s] of the array.",
     .place = flipped,
     .in = 1u << CONV2D_W},
    {.name = "columns_first",
     .says = "Filters are stored column by column: w is [K][C][S][R] in place of [K][C][R][S], and "
             "[K][S][R][C] in place of [K][R][S][C].",
     .place = columns_first,
     .in = 1u << CONV2D_W},
    {0},
};
