/* What an output of conv2d or convpool that is wrong looks like: the usual mistakes, tried out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/size.h"
#include "conv2d/op/op.h"

/* All filters turned by 180 degrees: a convolution as mathematics has it. */
static void turn(const struct conv2d_problem *p, const double *w, double *turned)
{
    const size_t taps = (size_t)p->r * (size_t)p->s, filters = (size_t)p->k * (size_t)p->c;
    for (size_t f = 0; f < filters; f++)
        for (size_t i = 0; i < taps; i++)
            turned[f * taps + i] = w[f * taps + taps - 1 - i];
}

/* Filters [K][C] read as if they were [C][K]. */
static void exchange(const struct conv2d_problem *p, const double *w, double *other)
{
    const size_t taps = (size_t)p->r * (size_t)p->s, channels = (size_t)p->c;
    for (size_t k = 0; k < (size_t)p->k; k++)
        for (size_t c = 0; c < channels; c++)
            for (size_t i = 0; i < taps; i++)
                other[(k * channels + c) * taps + i] = w[(c * (size_t)p->k + k) * taps + i];
}

/* Only the channels from `first` to before `end` count. */
static void keep(const struct conv2d_problem *p, const double *w, int first, int end, double *kept)
{
    const size_t taps = (size_t)p->r * (size_t)p->s;
    for (size_t i = 0; i < conv2d_w_count(p); i++) {
        const int c = (int)(i / taps % (size_t)p->c);
        kept[i] = c >= first && c < end ? w[i] : 0;
    }
}

/* Whether got is the largest of each pool. */
static bool largest(const struct convpool_problem *p, const double *got, const double *x,
                    const double *w)
{
    struct convpool_problem single = *p;
    single.pool = 1;
    struct conv_sums all = conv_oracle_plain(&single, x, w);
    bool same = p->pool > 1;
    for (int n = 0; n < p->conv.n; n++)
        for (int k = 0; k < p->conv.k; k++)
            for (int u = 0; u < convpool_rows(p); u++)
                for (int v = 0; v < convpool_columns(p) && same; v++) {
                    double most = -INFINITY, absolute = 0;
                    for (int i = 0; i < p->pool * p->pool; i++) {
                        const size_t at = conv_y_index(&single, n, k, u * p->pool + i / p->pool,
                                                       v * p->pool + i % p->pool);
                        most = fmax(most, all.y[at]);
                        absolute = fmax(absolute, all.absolute[at]);
                    }
                    same = conv_near(p, got[conv_y_index(p, n, k, u, v)], most, absolute);
                }
    conv_sums_free(&all);
    return same;
}

/* Whether what of x is near to 0 counts for nothing. */
static const char *nearer_hint(const struct convpool_problem *p, const double *got, const double *x,
                               const double *w, double *other, int which)
{
    static const struct {
        double least;
        const char *words;
    } near[] = {{0.5, "equals the sums without what of x is nearer to 0 than 0.5: only 0 is 0"},
                {0.1, "equals the sums without what of x is nearer to 0 than 0.1: only 0 is 0"},
                {0.01, "equals the sums without what of x is nearer to 0 than 0.01: only 0 is 0"},
                {1e-3, "equals the sums without what of x is nearer to 0 than 0.001: only 0 is 0"}};
    for (size_t i = 0; i < conv2d_x_count(&p->conv); i++)
        other[i] = fabs(x[i]) < near[which].least ? 0 : x[i];
    return conv_equals(p, got, other, w, 1) ? near[which].words : NULL;
}

/* Whether got comes of other values of x, or of the largest of a pool. */
static const char *value_hint(const struct convpool_problem *p, const double *got, const double *x,
                              const double *w)
{
    const size_t n = conv2d_x_count(&p->conv);
    double *other = hpc_malloc(hpc_mul(n, sizeof *other));
    const char *hint = NULL;
    for (size_t i = 0; i < n; i++)
        other[i] = fmax(x[i], 0);
    if (conv_equals(p, got, other, w, 1))
        hint = "equals the sums over x with 0 for what is below 0: there is no rectifier";
    for (size_t i = 0; i < n; i++)
        other[i] = fabs(x[i]);
    if (!hint && conv_equals(p, got, other, w, 1))
        hint = "equals the sums over the absolute values of x";
    for (int i = 0; i < 4 && !hint; i++)
        hint = nearer_hint(p, got, x, w, other, i);
    free(other);
    return !hint && largest(p, got, x, w)
               ? "equals the largest of each pool, not its mean: a maximum may not change places"
               : hint;
}

static const char *filter_hint(const struct convpool_problem *p, const void *const in[],
                               const double *got)
{
    const char *hint = NULL;
    double *x = conv_plain_x(&p->conv, in[CONV2D_X]), *w = conv_plain_w(&p->conv, in[CONV2D_W]);
    double *other = hpc_malloc(hpc_mul(conv2d_w_count(&p->conv), sizeof *other));
    turn(&p->conv, w, other);
    if (p->conv.r * p->conv.s > 1 && conv_equals(p, got, x, other, 1))
        hint = "equals the sums with flipped filters: w[r][s] goes with row p * stride + r - pad";
    if (!hint && p->pool > 1 && conv_equals(p, got, x, w, p->pool * p->pool))
        hint = "equals pool^2 times the average: the pool's sum, never divided";
    if (!hint && p->pool > 1 && conv_equals(p, got, x, w, 1.0 / (p->pool * p->pool)))
        hint = "equals the average over pool^2: it is divided twice, as by a kernel and by alpha";
    exchange(&p->conv, w, other);
    if (!hint && p->conv.c > 1 && p->conv.k > 1 && conv_equals(p, got, x, other, 1))
        hint = "equals the sums with the filters read as [C][K], where w is [K][C]";
    if (!hint)
        hint = value_hint(p, got, x, w);
    if (!hint)
        hint = conv_box_hint(p, got, x, w);
    if (!hint)
        hint = conv_order_hint(p, got, x, w);
    keep(&p->conv, w, 0, 1, other);
    if (!hint && p->conv.c > 1 && conv_equals(p, got, x, other, 1))
        hint = "equals the first channel's share: add up all channels";
    keep(&p->conv, w, p->conv.c - 1, p->conv.c, other);
    if (!hint && p->conv.c > 1 && conv_equals(p, got, x, other, 1))
        hint = p->conv.c > 2 ? "equals the last channel's share: the sum starts again with every "
                               "channel"
                             : "equals the last channel's share: the sum starts again with every "
                               "channel, or the loop leaves the first one out";
    free(other);
    free(w);
    free(x);
    return hint;
}

static const char *place_hint(const struct convpool_problem *p, const double *got,
                              const struct conv_sums *want)
{
    size_t edge = 0, inner = 0, blank = 0, zero = 0, wrong = 0, inner_all = 0, edge_all = 0;
    size_t huge = 0;
    for (int n = 0; n < p->conv.n; n++)
        for (int k = 0; k < p->conv.k; k++)
            for (int u = 0; u < convpool_rows(p); u++)
                for (int v = 0; v < convpool_columns(p); v++) {
                    const size_t i = conv_y_index(p, n, k, u, v);
                    const bool off = !conv_near(p, got[i], want->y[i], want->absolute[i]);
                    const bool border = conv_at_edge(p, u, v);
                    inner_all += !border;
                    edge_all += border;
                    blank += got[i] != got[i];
                    zero += off && got[i] == 0;
                    huge += off && fabs(got[i]) > 1e6 * (want->absolute[i] + 1);
                    wrong += off;
                    edge += off && border;
                    inner += off && !border;
                }
    if (blank == want->count)
        return "no element was written, or all are NaN: was a kernel launched? Does a library's "
               "call "
               "add to what y held?";
    if (zero == wrong)
        return "0 stands where something should: sums that were never added up";
    if (huge > 0 && blank == 0)
        return "some elements are beyond any sum: memory never set, or a maximum's start such as "
               "-1e30 that nothing took the place of";
    if (blank > 0 && blank == wrong)
        return "some elements were never written, or are NaN, all others are right: does the grid "
               "cover all of y?";
    if (edge > 0 && inner == 0 && inner_all > 0)
        return "only elements whose window reaches over the map's edge are wrong: x is zero there";
    if (inner > 0 && inner == inner_all && edge == 0 && edge_all > 0)
        return "only elements next to the map's edge are right: is the window's place right?";
    return NULL;
}

static const char *layout_hint(const struct convpool_problem *p, const double *got,
                               const struct conv_sums *want)
{
    struct convpool_problem other = *p;
    other.conv.layout = p->conv.layout == CONV_NCHW ? CONV_NHWC : CONV_NCHW;
    for (int n = 0; n < p->conv.n; n++)
        for (int k = 0; k < p->conv.k; k++)
            for (int u = 0; u < convpool_rows(p); u++)
                for (int v = 0; v < convpool_columns(p); v++) {
                    const size_t i = conv_y_index(p, n, k, u, v);
                    if (!conv_near(p, got[conv_y_index(&other, n, k, u, v)], want->y[i],
                                   want->absolute[i]))
                        return NULL;
                }
    return p->conv.layout == CONV_NCHW
               ? "the right numbers in the order N, P, Q, K: y is N, K, P, Q"
               : "the right numbers in the order N, K, P, Q: y is N, P, Q, K";
}

/* Rows and columns exchanged within tiles of `side` outputs: where each other's place is in the
 * map, got has what belongs there. */
static bool turned(const struct convpool_problem *p, const double *got,
                   const struct conv_sums *want, int side)
{
    int other = 0;
    for (int n = 0; n < p->conv.n; n++)
        for (int k = 0; k < p->conv.k; k++)
            for (int u = 0; u < convpool_rows(p); u++)
                for (int v = 0; v < convpool_columns(p); v++) {
                    const int a = u - u % side + v % side, b = v - v % side + u % side;
                    if (a >= convpool_rows(p) || b >= convpool_columns(p))
                        continue;
                    const size_t i = conv_y_index(p, n, k, u, v), j = conv_y_index(p, n, k, a, b);
                    if (!conv_near(p, got[i], want->y[j], want->absolute[j]))
                        return false;
                    other += !conv_near(p, want->y[i], want->y[j], want->absolute[j]);
                }
    return other >= 6;
}

static const char *tile_hint(const struct convpool_problem *p, const double *got,
                             const struct conv_sums *want)
{
    static const struct {
        int side;
        const char *words;
    } tiles[] = {
        {8, "equals rows and columns exchanged within tiles of 8 x 8"},
        {16, "equals rows and columns exchanged within tiles of 16 x 16: of threadIdx, x is the "
             "column wherever a tile is read or written"},
        {32, "equals rows and columns exchanged within tiles of 32 x 32: of threadIdx, x is the "
             "column wherever a tile is read or written"},
        {1 << 20, "equals rows and columns exchanged: y[p][q] has what belongs to y[q][p]"},
    };
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        const bool one = convpool_rows(p) <= tiles[i].side && convpool_columns(p) <= tiles[i].side;
        if (turned(p, got, want, tiles[i].side))
            return one ? tiles[3].words : tiles[i].words;
    }
    return NULL;
}

/* Whether TF32 or half would explain all that is off. */
static const char *precision_hint(const struct convpool_problem *p, const double *got,
                                  const struct conv_sums *want)
{
    for (size_t i = 0; i < want->count; i++)
        if (!(fabs(got[i] - want->y[i]) <= 0x1p-9 * want->absolute[i]))
            return NULL;
    return p->conv.type == CONV_F32
               ? "near, but the errors are larger than those of fp32: TF32 or half "
                 "products? Floats where large sums cancel?"
               : NULL;
}

/* Whether nothing but 0 was written, which other hints would explain too. */
static const char *zero_hint(const struct convpool_problem *p, const double *got,
                             const struct conv_sums *want)
{
    for (size_t i = 0; i < want->count; i++)
        if (got[i] != 0)
            return NULL;
    return p->pool > 1
               ? "all elements are 0: is the sum written, are the filters where they are read, is "
                 "a "
                 "factor 0, as 1 / (pool * pool) in integers is?"
               : "all elements are 0: is the sum written, are the filters where they are read?";
}

void conv_hint(const struct convpool_problem *p, const void *const in[], const double *got,
               const struct conv_sums *want, char *hint, size_t size)
{
    const char *text = zero_hint(p, got, want);
    if (!text && conv_blank_hint(p, got, want, hint, size))
        return;
    if (!text)
        text = precision_hint(p, got, want);
    if (!text)
        text = layout_hint(p, got, want);
    if (!text)
        text = tile_hint(p, got, want);
    if (!text)
        text = filter_hint(p, in, got);
    if (!text && conv_inside_hint(p, in, got, hint, size))
        return;
    if (!text && conv_zeros_hint(p, got, want, hint, size))
        return;
    if (!text && conv_moved_hint(p, got, want, hint, size))
        return;
    if (!text)
        text = place_hint(p, got, want);
    snprintf(hint, size, "%s", text ? text : "");
}
