/* What a filter that a wrong convolution took is made of: channels or weights of another place in
 * w, or a pool of other places than it should have. */
#include "conv2d/op/filter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/size.h"
#include "common/stats.h"
#include "common/text.h"

struct filter_shape filter_shape(const struct convpool_problem *p)
{
    const struct filter_shape s = {p->conv.c, p->conv.r + p->pool + 1, p->conv.s + p->pool + 1, 0};
    return (struct filter_shape){s.c, s.rows, s.columns, s.c * s.rows * s.columns};
}

void filter_right(const struct convpool_problem *p, const double *w, int k, double *c)
{
    const struct filter_shape s = filter_shape(p);
    const double share = 1.0 / (p->pool * p->pool);
    for (int i = 0; i < s.n; i++)
        c[i] = 0;
    for (int ch = 0; ch < s.c; ch++)
        for (int i = 0; i < p->conv.r; i++)
            for (int j = 0; j < p->conv.s; j++)
                for (int a = 0; a < p->pool * p->pool; a++)
                    c[(ch * s.rows + 1 + i + a / p->pool) * s.columns + 1 + j + a % p->pool] +=
                        share * w[((k * s.c + ch) * p->conv.r + i) * p->conv.s + j];
}

static bool all_near(int n, const double *got, const double *want, double factor, double near)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(got[i] - factor * want[i]) <= near))
            return false;
    return true;
}

/* Whose plane it is: k C + c; that of its own place where several fit; -1: nobody's. */
static int plane_of(const struct convpool_problem *p, const double *w, int own, const double *got,
                    double near)
{
    const struct filter_shape s = filter_shape(p);
    const int plane = s.rows * s.columns, all = p->conv.k * s.c;
    double filter[FIT_MAX];
    for (int i = 0; i < all; i++) {
        const int at = (own + i) % all;
        filter_right(p, w, at / s.c, filter);
        if (all_near(plane, got, filter + at % s.c * plane, 1, near))
            return at;
    }
    return -1;
}

/* Each channel of the filter with the weights of some channel of some filter. */
static bool say_planes(const struct convpool_problem *p, const double *w, int k, const double *got,
                       double near, char *text, size_t size)
{
    const struct filter_shape s = filter_shape(p);
    int wrong = 0, first = 0, from = 0, first_channel = 0;
    for (int ch = 0; ch < s.c; ch++) {
        const int own = k * s.c + ch;
        const int at = plane_of(p, w, own, got + ch * s.rows * s.columns, near);
        if (at < 0)
            return false;
        first_channel += at % s.c == 0;
        if (at != own && wrong++ == 0) {
            first = ch;
            from = at;
        }
    }
    if (wrong == 0)
        return false;
    text_fit(text, size,
             "channel %d of filter %d is multiplied with the weights of channel %d of filter %d "
             "(%d of %d channels with others' than their own)%s",
             first, k, from % s.c, from / s.c, wrong, s.c,
             s.c > 1 && first_channel == s.c ? ": the index of w leaves the channel out"
             : from % s.c == first           ? ": the index of w goes to another filter"
                                             : "");
    return true;
}

/* One channel of x with the weights of all: the sum of their planes. */
static bool say_one_channel(const struct convpool_problem *p, const double *w, int k,
                            const double *got, double near, char *text, size_t size)
{
    const struct filter_shape s = filter_shape(p);
    const int plane = s.rows * s.columns;
    double right[FIT_MAX], none[FIT_MAX] = {0}, all[FIT_MAX] = {0};
    int from = -1;
    filter_right(p, w, k, right);
    for (int i = 0; i < s.n; i++)
        all[i % plane] += right[i];
    for (int ch = 0; ch < s.c; ch++) {
        const bool sum = all_near(plane, got + ch * plane, all, 1, near);
        if (!(sum && from < 0) && !all_near(plane, got + ch * plane, none, 1, near))
            return false;
        from = sum ? ch : from;
    }
    if (s.c < 2 || from < 0)
        return false;
    text_fit(text, size,
             "the weights of all %d channels are multiplied with channel %d of x: the index of x "
             "leaves the channel out",
             s.c, from);
    return true;
}

/* Where in w a coefficient stands; `own` where that fits; -1: nowhere. */
static int index_of(int n, const double *w, int own, double got, double near)
{
    int at = -1;
    if (fabs(w[own] - got) <= near)
        return own;
    for (int i = 0; i < n && at < 0; i++)
        if (fabs(w[i] - got) <= near)
            at = i;
    return at;
}

#define LEAST 3 /* weights that all stand elsewhere: fewer may fit by chance */

/* Without a pool: each weight as it stands elsewhere in w, or 0, as where w was copied with room
 * for more filters. */
static bool say_indices(const struct convpool_problem *p, const double *w, int k, const double *got,
                        double near, char *text, size_t size)
{
    const struct filter_shape s = filter_shape(p);
    const int taps = p->conv.r * p->conv.s, n = (int)conv2d_w_count(&p->conv);
    int wrong = 0, zeros = 0, first = 0, from = 0;
    for (int i = 0; i < s.c * taps; i++) {
        const int row = i % taps / p->conv.s, column = i % p->conv.s, own = k * s.c * taps + i;
        const double value = got[(i / taps * s.rows + 1 + row) * s.columns + 1 + column];
        const int at = index_of(n, w, own, value, near);
        if (at < 0 && fabs(value) <= near) {
            zeros++;
            continue;
        }
        if (at < 0)
            return false;
        if (at != own && wrong++ == 0) {
            first = i;
            from = at;
        }
    }
    if (p->pool > 1 || wrong + zeros < LEAST || pow(n * 1e-3, wrong) > (zeros ? 0.2 : 1e-3))
        return false;
    char as_zero[100] = "";
    if (zeros)
        snprintf(as_zero, sizeof as_zero,
                 ", %d as 0: do w's rows lie as far apart as they are read?", zeros);
    text_fit(text, size,
             "the weight of filter %d, channel %d, row %d, column %d is read from w[%d], it stands "
             "in w[%d] (%d of %d weights are read elsewhere%s)",
             k, first / taps, first % taps / p->conv.s, first % p->conv.s, from,
             k * s.c * taps + first, wrong, s.c * taps, as_zero);
    return true;
}

/* How often each place of a pool counts, (pool + 2)^2 of them, so that filter k comes to got. */
static bool pool_of(const struct convpool_problem *p, const double *w, int k, const double *got,
                    double *places)
{
    const struct filter_shape s = filter_shape(p);
    const int side = p->pool + 2, n = side * side;
    struct fit f;
    double row[FIT_MAX], left = 1;
    if (n > FIT_MAX || 2 * n > s.n)
        return false;
    fit_open(&f, n);
    for (int i = 0; i < s.n; i++) {
        const int ch = i / (s.rows * s.columns), u = i / s.columns % s.rows, v = i % s.columns;
        for (int a = 0; a < n; a++) {
            const int r = u - a / side, c = v - a % side; /* of the filter alone */
            const bool in = r >= 0 && r < p->conv.r && c >= 0 && c < p->conv.s;
            row[a] = in ? w[((k * s.c + ch) * p->conv.r + r) * p->conv.s + c] : 0;
        }
        fit_add(&f, row, got[i] * p->pool * p->pool);
    }
    const bool known = fit_solve(&f, places, &left) && left < 1e-3;
    fit_close(&f);
    return known;
}

#define PLACE_NEAR 1e-2

/* A pool of whole rows and columns, or one of which some places count otherwise. */
static bool say_pool(const struct convpool_problem *p, const double *w, int k, const double *got,
                     char *text, size_t size)
{
    const int pool = p->pool, side = pool + 2;
    double places[FIT_MAX];
    int top = side, left = side, bottom = -1, right = -1, count = 0, wrong = 0, first = -1;
    if (pool < 2 || !pool_of(p, w, k, got, places))
        return false;
    for (int a = 0; a < side * side; a++) {
        const int row = a / side - 1, column = a % side - 1;
        const bool own = row >= 0 && row < pool && column >= 0 && column < pool;
        if (!(fabs(places[a] - own) <= PLACE_NEAR) && wrong++ == 0)
            first = a;
        if (fabs(places[a]) <= PLACE_NEAR)
            continue;
        top = row < top ? row : top;
        left = column < left ? column : left;
        bottom = row > bottom ? row : bottom;
        right = column > right ? column : right;
        count += fabs(places[a] - 1) <= PLACE_NEAR;
    }
    if (wrong == 0)
        return false;
    if (count > 0 && count == (bottom - top + 1) * (right - left + 1))
        text_fit(text, size,
                 "of each pool of %d x %d rows %d to %d and columns %d to %d are summed, should be "
                 "0 to %d: does a bound belong to the sum or not?",
                 pool, pool, top, bottom, left, right, pool - 1);
    else
        text_fit(text, size,
                 "of each pool of %d x %d row %d, column %d counts %.4g times (%d places do not "
                 "count as they should)",
                 pool, pool, first / side - 1, first % side - 1, places[first], wrong);
    return true;
}

bool filter_words(const struct convpool_problem *p, const double *w, int k, const double *got,
                  double near, char *text, size_t size)
{
    return say_planes(p, w, k, got, near, text, size) ||
           say_one_channel(p, w, k, got, near, text, size) ||
           say_indices(p, w, k, got, near, text, size) || say_pool(p, w, k, got, text, size);
}
