/* conv2d and convpool with a guard that compares with another bound than the map's: what y would be
 * where rows and columns of x beyond that count as 0. */
#include <stdio.h>
#include <stdlib.h>

#include "common/size.h"
#include "conv2d/op/op.h"

enum { BOUNDS = 8 };

/* Rows [top, bottom) and columns [left, right) of each map. */
struct inside {
    int top, bottom, left, right;
};

/* What students compare an index below `own` with: their number in y, one less, the other one's. */
static int bounds_of(int own, int outputs, int other, int bounds[BOUNDS])
{
    const int tried[] = {own, outputs, own - 1, own - 2, other};
    int n = 0;
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++)
        if (tried[i] > 0 && tried[i] <= own && (i == 0 || tried[i] != own))
            bounds[n++] = tried[i];
    return n;
}

static bool equals(const struct convpool_problem *p, struct inside in, const double *got,
                   const double *x, const double *w, double *other)
{
    const struct conv2d_problem *q = &p->conv;
    for (size_t i = 0; i < conv2d_x_count(q); i++) {
        const int row = (int)(i / (size_t)q->w % (size_t)q->h), column = (int)(i % (size_t)q->w);
        const bool kept =
            row >= in.top && row < in.bottom && column >= in.left && column < in.right;
        other[i] = kept ? x[i] : 0;
    }
    return conv_equals(p, got, other, w, 1);
}

static void say(const struct conv2d_problem *q, struct inside in, char *hint, size_t size)
{
    const bool of_y = in.bottom == conv2d_rows(q) && in.right == conv2d_columns(q);
    snprintf(hint, size,
             "equals the sums over rows %d to %d and columns %d to %d of x, all others as 0: x has "
             "%d x %d, 0 to %d and 0 to %d%s",
             in.top, in.bottom - 1, in.left, in.right - 1, q->h, q->w, q->h - 1, q->w - 1,
             of_y ? "; is x's index compared with the rows and columns of the outputs?"
                  : "; what is x's index compared with?");
}

bool conv_inside_hint(const struct convpool_problem *p, const void *const in[], const double *got,
                      char *hint, size_t size)
{
    const struct conv2d_problem *q = &p->conv;
    int bottoms[BOUNDS], rights[BOUNDS];
    bool found = false;
    const int n = bounds_of(q->h, conv2d_rows(q), q->w, bottoms);
    const int m = bounds_of(q->w, conv2d_columns(q), q->h, rights);
    double *x = conv_plain_x(q, in[CONV2D_X]), *w = conv_plain_w(q, in[CONV2D_W]);
    double *other = hpc_malloc(hpc_mul(conv2d_x_count(q), sizeof *other));
    for (int i = 1; i < 4 * n * m && !found; i++) {
        const struct inside inside = {i & 1, bottoms[i / 4 % n], i >> 1 & 1, rights[i / 4 / n]};
        found = equals(p, inside, got, x, w, other);
        if (found)
            say(q, inside, hint, size);
    }
    free(other);
    free(w);
    free(x);
    return found;
}
