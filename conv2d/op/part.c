/* Which filter a wrong convolution took: the one that the first filter's outputs are made with, by
 * least squares over those whose window, and a place more on each side, lies within the map. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/stats.h"
#include "common/size.h"
#include "conv2d/op/filter.h"
#include "conv2d/op/op.h"

/* Where windows lie: so far apart, from there on. */
struct walk {
    int down, across, top, left;
};

/* One output's row of x, where windows lie so; false where it reaches over the map. */
static bool row_of(const struct convpool_problem *p, const double *x, struct walk walk, int n,
                   int u, int v, double *row)
{
    const struct conv2d_problem *q = &p->conv;
    const struct filter_shape s = filter_shape(p);
    const int top = u * walk.down + walk.top - 1;
    const int left = v * walk.across + walk.left - 1;
    if (top < 0 || left < 0 || top + s.rows > q->h || left + s.columns > q->w)
        return false;
    for (int ch = 0; ch < s.c; ch++)
        for (int i = 0; i < s.rows; i++)
            for (int j = 0; j < s.columns; j++)
                row[(ch * s.rows + i) * s.columns + j] =
                    x[((n * s.c + ch) * q->h + top + i) * q->w + left + j];
    return true;
}

static bool solve(const struct convpool_problem *p, const double *x, const void *y, int k,
                  struct walk walk, double *c)
{
    const struct filter_shape s = filter_shape(p);
    struct fit f;
    double row[FIT_MAX], left = 1;
    fit_open(&f, s.n);
    for (int n = 0; n < p->conv.n; n++)
        for (int u = 0; u < convpool_rows(p); u++)
            for (int v = 0; v < convpool_columns(p); v++)
                if (row_of(p, x, walk, n, u, v, row))
                    fit_add(&f, row, conv_element(y, p->conv.type, conv_y_index(p, n, k, u, v)));
    const bool known = f.rows >= (size_t)(2 * s.n) && fit_solve(&f, c, &left) && left < 1e-4;
    fit_close(&f);
    return known;
}

/* Whether got[i][j] = factor * want at a changed place: moved by (di, dj), what falls over the
 * filter's edge left out where it is CUT, turned or transposed. */
enum change { MOVED, CUT, TURNED, UPSIDE, MIRRORED, TRANSPOSED };

static bool same(const struct filter_shape *s, const double *got, const double *want,
                 enum change change, int di, int dj, double factor, double near)
{
    for (int ch = 0; ch < s->c; ch++)
        for (int i = 0; i < s->rows; i++)
            for (int j = 0; j < s->columns; j++) {
                int a = i - di, b = j - dj;
                if (change == TURNED || change == UPSIDE)
                    a = s->rows - 1 - i;
                if (change == TURNED || change == MIRRORED)
                    b = s->columns - 1 - j;
                if (change == TRANSPOSED) {
                    a = j;
                    b = i;
                }
                const bool edge = i == 0 || j == 0 || i == s->rows - 1 || j == s->columns - 1;
                const bool in =
                    !(change == CUT && edge) && a >= 0 && a < s->rows && b >= 0 && b < s->columns;
                const double w = in ? want[(ch * s->rows + a) * s->columns + b] : 0;
                if (!(fabs(got[(ch * s->rows + i) * s->columns + j] - factor * w) <= near))
                    return false;
            }
    return true;
}

/* Windows that begin elsewhere; not both are 0. */
static void say_begin(int rows, int columns, char *text, size_t size)
{
    const char *const r = abs(rows) == 1 ? "" : "s", *const c = abs(columns) == 1 ? "" : "s";
    if ((rows < 0) != (columns < 0) && rows && columns)
        snprintf(text, size, "windows begin %d row%s too far to the %s and %d column%s to the %s",
                 abs(rows), r, rows < 0 ? "start" : "end", abs(columns), c,
                 columns < 0 ? "start" : "end");
    else
        snprintf(text, size, "windows begin %d row%s and %d column%s too far to the %s", abs(rows),
                 r, abs(columns), c, rows < 0 || columns < 0 ? "start" : "end");
}

static bool say_moved(const struct filter_shape *s, const double *got, const double *want,
                      double near, char *text, size_t size)
{
    static const char *const changes[] = {
        [TURNED] = "turned by 180 degrees: w[r][s] goes with row + r, column + s",
        [UPSIDE] = "upside down",
        [MIRRORED] = "mirrored, left for right",
        [TRANSPOSED] = "read down its columns: rows and columns are exchanged"};
    for (int change = TURNED; change <= TRANSPOSED; change++)
        if ((change != TRANSPOSED || s->rows == s->columns) &&
            same(s, got, want, (enum change)change, 0, 0, 1, near)) {
            snprintf(text, size, "the filter is %s", changes[change]);
            return true;
        }
    for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++)
            if ((di || dj) && same(s, got, want, MOVED, di, dj, 1, near)) {
                say_begin(di, dj, text, size);
                return true;
            }
    for (int by = -2; by <= 2; by++)
        if (by && same(s, got, want, CUT, by, by, 1, near)) {
            snprintf(text, size,
                     "the filter stands %d row%s and column%s too far to the %s, and what falls "
                     "over its edge is left out: fused[i][j] is a sum of w[i - a][j - b], a, b "
                     "< pool",
                     abs(by), abs(by) == 1 ? "" : "s", abs(by) == 1 ? "" : "s",
                     by < 0 ? "start" : "end");
            return true;
        }
    return false;
}

/* Where one weight of many counts, and no other. */
static bool say_alone(const struct filter_shape *s, int k, const double *got, const double *want,
                      double near, char *text, size_t size)
{
    const int plane = s->rows * s->columns;
    int alone = -1, weights = 0;
    for (int i = 0; i < s->n; i++) {
        weights += fabs(want[i]) > near;
        if (fabs(got[i]) <= near)
            continue;
        if (alone >= 0 || !(fabs(got[i] - want[i]) <= near))
            return false;
        alone = i;
    }
    if (alone < 0 || weights < 3)
        return false;
    snprintf(text, size,
             CONV_OTHER_FILTER ": channel %d, row %d, column %d of filter %d alone counts, of %d "
                               "weights: does each product take the place of the sum, = for +=?",
             alone / plane, alone % plane / s->columns - 1, alone % s->columns - 1, k, weights);
    return true;
}

static void say_first(const struct filter_shape *s, int k, const double *got, const double *want,
                      double near, char *text, size_t size)
{
    int wrong = 0, first = -1;
    for (int i = s->n - 1; i >= 0; i--)
        if (!(fabs(got[i] - want[i]) <= near)) {
            first = i;
            wrong++;
        }
    const int plane = s->rows * s->columns, at = first % plane;
    const double times = want[first] != 0 ? got[first] / want[first] : 0;
    char how[60] = "is left out";
    if (want[first] == 0)
        snprintf(how, sizeof how, "is %.4g, should not be there", got[first]);
    else if (fabs(times) > 1e-3)
        snprintf(how, sizeof how, "counts %.4g times", times);
    snprintf(text, size,
             CONV_OTHER_FILTER ": channel %d, row %d, column "
                               "%d of filter %d %s (%d weights are wrong)",
             first / plane, at / s->columns - 1, at % s->columns - 1, k, how, wrong);
}

/* Whether the filters, with their pool, [K][C R S], are read as [C R S][K]: got[i] is number i K.
 */
static bool by_columns(const struct convpool_problem *p, const double *w, const double *got,
                       double near)
{
    const struct filter_shape s = filter_shape(p);
    const int columns = s.columns - 2, plane = (s.rows - 2) * columns, depth = s.c * plane;
    double filter[FIT_MAX];
    bool same = p->conv.k > 1 && depth > 1;
    for (int i = 0; i < depth && same; i++) {
        const int from = i * p->conv.k % depth, at[] = {i, from};
        int place[2];
        for (int j = 0; j < 2; j++)
            place[j] = (at[j] / plane * s.rows + 1 + at[j] % plane / columns) * s.columns + 1 +
                       at[j] % columns;
        filter_right(p, w, i * p->conv.k / depth, filter);
        same = fabs(got[place[0]] - filter[place[1]]) <= near;
    }
    return same;
}

static bool say(const struct convpool_problem *p, const double *w, int k, const double *got,
                const double *want, char *text, size_t size)
{
    const struct filter_shape s = filter_shape(p);
    int best = 0;
    for (int i = 1; i < s.n; i++)
        if (fabs(want[i]) > fabs(want[best]))
            best = i;
    const double near = (p->conv.type == CONV_F32 ? 1e-4 : 1e-2) * fabs(want[best]);
    const double f = got[best] / want[best];
    bool any = false;
    for (int i = 0; i < s.n; i++)
        any |= fabs(got[i]) > near;
    if (!any || same(&s, got, want, MOVED, 0, 0, 1, near)) /* zeros are no filter's */
        return false;
    if (f != 0 && same(&s, got, want, MOVED, 0, 0, f, near))
        snprintf(
            text, size, "inside the map all outputs are %.4g times what they should be%s", f,
            p->pool > 1 && fabs(f - p->pool * p->pool) < 1e-2 ? ": the pool's sum, never divided"
            : p->pool > 1 && fabs(f - p->pool) < 1e-2 ? ": divided by the pool's side, not its area"
            : p->pool > 1 && fabs(f * p->conv.r * p->conv.s / (p->pool * p->pool) - 1) < 1e-3
                ? ": divided by the filter's area, not the pool's"
                : "");
    else if (k == 0 && by_columns(p, w, got, near))
        snprintf(text, size,
                 "the filters, [K][C R S], are read as [C R S][K]: weight 1 of filter 0 is number "
                 "K of all, not 1: is a matrix transposed that should not be?");
    else if (!say_alone(&s, k, got, want, near, text, size) &&
             !say_moved(&s, got, want, near, text, size) &&
             !filter_words(p, w, k, got, near, text, size))
        say_first(&s, k, got, want, near, text, size);
    return true;
}

/* The right filter, at windows that do not lie where they should. */
static bool say_walk(const struct convpool_problem *p, const double *got, const double *want,
                     struct walk walk, char *text, size_t size)
{
    const struct filter_shape s = filter_shape(p);
    const int step = p->pool * p->conv.stride, first = -p->conv.pad;
    if (!same(&s, got, want, MOVED, 0, 0, 1, 1e-3))
        return false;
    const bool down = walk.down != step || walk.top != first;
    const bool across = walk.across != step || walk.left != first;
    const char *along = down && across ? "" : down ? " in rows" : " in columns";
    if (walk.down != step || walk.across != step)
        snprintf(text, size, "windows lie %d apart%s, should lie %s = %d apart",
                 walk.down != step ? walk.down : walk.across, along,
                 p->pool > 1 ? "pool * stride" : "stride", step);
    else
        snprintf(text, size, "windows begin at %d%s, should begin at %d: %s",
                 walk.top != first ? walk.top : walk.left, along, first,
                 walk.top > 0 || walk.left > 0 ? "the padding is added where it belongs subtracted"
                                               : "the padding is left out");
    return true;
}

#define MORE_FILTERS 8 /* that are looked at where the first is right */
#define WALKS        24

/* The right walk, and others that students take; returns how many. */
static int walks_of(const struct convpool_problem *p, struct walk walks[WALKS])
{
    const int step = p->pool * p->conv.stride, pad = p->conv.pad;
    const int steps[] = {1, p->pool, p->conv.stride, step + 1}, firsts[] = {pad, 0};
    int n = 0;
    walks[n++] = (struct walk){step, step, -pad, -pad};
    for (int i = 0; i < 4; i++)
        if (steps[i] != step) {
            walks[n++] = (struct walk){steps[i], steps[i], -pad, -pad};
            walks[n++] = (struct walk){steps[i], step, -pad, -pad};
            walks[n++] = (struct walk){step, steps[i], -pad, -pad};
        }
    for (int i = 0; pad > 0 && i < 2; i++) {
        walks[n++] = (struct walk){step, step, firsts[i], firsts[i]};
        walks[n++] = (struct walk){step, step, firsts[i], -pad};
        walks[n++] = (struct walk){step, step, -pad, firsts[i]};
    }
    return n;
}

bool conv_part(const void *problem, const void *const in[], const void *const out[], char *text,
               size_t size)
{
    const struct convpool_problem *p = &((const struct conv_case *)problem)->p;
    const struct filter_shape s = filter_shape(p);
    if (s.n > FIT_MAX || convpool_y_count(p) > 100000)
        return false;
    double *x = conv_plain_x(&p->conv, in[CONV2D_X]), *w = conv_plain_w(&p->conv, in[CONV2D_W]);
    double got[FIT_MAX], want[FIT_MAX];
    struct walk walks[WALKS];
    const int n = walks_of(p, walks);
    bool known = false;
    filter_right(p, w, 0, want);
    for (int i = 0; i < n && !known; i++)
        known = solve(p, x, out[CONV2D_Y], 0, walks[i], got) &&
                (i == 0 ? say(p, w, 0, got, want, text, size)
                        : say_walk(p, got, want, walks[i], text, size));
    for (int k = 1; k < p->conv.k && k <= MORE_FILTERS && !known; k++) {
        filter_right(p, w, k, want);
        known = solve(p, x, out[CONV2D_Y], k, walks[0], got) && say(p, w, k, got, want, text, size);
    }
    free(x);
    free(w);
    return known;
}
