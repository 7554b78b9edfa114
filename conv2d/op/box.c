/* convpool that pools x first, in another way than by the mean of each pool: what y would be. */
#include <math.h>
#include <stdlib.h>

#include "common/size.h"
#include "conv2d/op/op.h"

/* The plane as it is pooled: x, h x w numbers; from (top, left) on, side x side of them. */
struct box {
    const double *x;
    int h, w, top, left, side;
};

/* What each way makes of one box; places outside the plane hold nothing. */
static double sum(const struct box *b)
{
    double all = 0;
    for (int i = b->top < 0 ? 0 : b->top; i < b->top + b->side && i < b->h; i++)
        for (int j = b->left < 0 ? 0 : b->left; j < b->left + b->side && j < b->w; j++)
            all += b->x[i * b->w + j];
    return all;
}

static double largest(const struct box *b)
{
    double most = -INFINITY;
    for (int i = b->top < 0 ? 0 : b->top; i < b->top + b->side && i < b->h; i++)
        for (int j = b->left < 0 ? 0 : b->left; j < b->left + b->side && j < b->w; j++)
            most = fmax(most, b->x[i * b->w + j]);
    return isfinite(most) ? most : 0;
}

/* The sum of all before (top, left): the corner of a summed area table that two others share. */
static double corner(const struct box *b)
{
    double all = 0;
    for (int i = 0; i < b->top && i < b->h; i++)
        for (int j = 0; j < b->left && j < b->w; j++)
            all += b->x[i * b->w + j];
    return all;
}

static double three_corners(const struct box *b)
{
    return sum(b) - corner(b);
}

static double taken_thrice(const struct box *b)
{
    return sum(b) - 2 * corner(b);
}

static double one_less(const struct box *b)
{
    struct box less = *b;
    less.side--;
    return sum(&less);
}

static double one_more(const struct box *b)
{
    struct box more = *b;
    more.side++;
    return sum(&more);
}

static double one_earlier(const struct box *b)
{
    struct box moved = *b;
    moved.top--;
    moved.left--;
    return sum(&moved);
}

/* The mean of what lies inside, times the side squared, which all are divided by. */
static double of_inside(const struct box *b)
{
    const int top = b->top < 0 ? 0 : b->top, left = b->left < 0 ? 0 : b->left;
    const int bottom = b->top + b->side < b->h ? b->top + b->side : b->h;
    const int right = b->left + b->side < b->w ? b->left + b->side : b->w;
    const int inside = bottom > top && right > left ? (bottom - top) * (right - left) : 1;
    return sum(b) * (b->side * b->side) / inside;
}

enum { MEANS };

static const struct {
    double (*pool)(const struct box *);
    bool whole; /* not divided by the pool's area */
    const char *hint;
} ways[] = {
    {sum, false, NULL}, /* MEANS: the right way */
    {largest, true, "equals the largest of each pool of x, not its mean: a maximum is no sum"},
    {three_corners, false,
     "equals areas of three corners: what is taken away twice, table[top][left], is given back"},
    {taken_thrice, false,
     "equals areas from which table[top][left] is taken away a third time: two others have taken "
     "it "
     "away already, so that it is added once"},
    {one_less, false, "equals pools without their last row and column: a sum ends too early"},
    {one_more, false, "equals pools with a row and a column too many: a sum ends too late"},
    {of_inside, false,
     "equals pools that are divided by what of them lies inside the map, or take the nearest pixel "
     "outside of it: x is 0 there, and each is divided by pool^2"},
    {one_earlier, false, "equals pools that begin a row and a column too early"},
};

/* All planes of x, pooled at every place that a filter meets, from -pad on. */
static void pool_all(const struct convpool_problem *p, const struct conv2d_problem *to, int way,
                     const double *x, double *pooled)
{
    const double share = ways[way].whole ? 1 : 1.0 / (p->pool * p->pool);
    const size_t plane = (size_t)p->conv.h * (size_t)p->conv.w;
    for (int m = 0; m < p->conv.n * p->conv.c; m++)
        for (int i = 0; i < to->h; i++)
            for (int j = 0; j < to->w; j++) {
                const struct box b = {x + (size_t)m * plane, p->conv.h,       p->conv.w,
                                      i - p->conv.pad,       j - p->conv.pad, p->pool};
                *pooled++ = share * ways[way].pool(&b);
            }
}

bool conv_pooled(const struct convpool_problem *p, struct convpool_problem *to)
{
    *to = *p;
    to->pool = 1;
    to->conv.stride = p->pool;
    to->conv.pad = 0;
    to->conv.h = p->conv.h + 2 * p->conv.pad - p->pool + 1;
    to->conv.w = p->conv.w + 2 * p->conv.pad - p->pool + 1;
    return p->pool > 1 && to->conv.h >= p->conv.r && to->conv.w >= p->conv.s;
}

void conv_pool_means(const struct convpool_problem *p, const struct conv2d_problem *to,
                     const double *x, double *means)
{
    pool_all(p, to, MEANS, x, means);
}

/* Whether x was made smaller first: the mean of each pool, once, and then a filter over those. */
static bool pools_first(const struct convpool_problem *p, int first, const double *got,
                        const double *x, const double *w)
{
    struct convpool_problem to = *p;
    to.pool = to.conv.stride = 1;
    to.conv.pad = 0;
    to.conv.h = convpool_rows(p) - 1 + p->conv.r;
    to.conv.w = convpool_columns(p) - 1 + p->conv.s;
    const size_t plane = (size_t)p->conv.h * (size_t)p->conv.w;
    double *pooled = hpc_malloc(hpc_mul(conv2d_x_count(&to.conv), sizeof *pooled)), *at = pooled;
    for (int m = 0; m < p->conv.n * p->conv.c; m++)
        for (int i = 0; i < to.conv.h; i++)
            for (int j = 0; j < to.conv.w; j++) {
                const struct box b = {x + (size_t)m * plane, p->conv.h,           p->conv.w,
                                      i * p->pool + first,   j * p->pool + first, p->pool};
                *at++ = sum(&b) / (p->pool * p->pool);
            }
    const bool same = conv_equals(&to, got, pooled, w, 1);
    free(pooled);
    return same;
}

const char *conv_box_hint(const struct convpool_problem *p, const double *got, const double *x,
                          const double *w)
{
    struct convpool_problem to;
    const char *hint = NULL;
    if (!conv_pooled(p, &to))
        return NULL;
    double *pooled = hpc_malloc(hpc_mul(conv2d_x_count(&to.conv), sizeof *pooled));
    for (int way = MEANS + 1; way < (int)(sizeof ways / sizeof *ways) && !hint; way++) {
        pool_all(p, &to.conv, way, x, pooled);
        if (conv_equals(&to, got, pooled, w, 1))
            hint = ways[way].hint;
    }
    free(pooled);
    if (!hint && p->conv.layout == CONV_NCHW && p->conv.r * p->conv.s > 1 &&
        (pools_first(p, -p->conv.pad, got, x, w) ||
         pools_first(p, -p->conv.pad * p->pool, got, x, w)))
        hint = "equals a convolution of x made smaller by its pools: pools of x lie one place "
               "apart, not pool, and the convolution takes every pool-th of them (stride = pool)";
    return hint;
}
