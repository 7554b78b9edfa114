/* The oracle of conv2d and convpool: the formulas of their headers in double, plane by plane. */
#include <math.h>
#include <stdlib.h>

#include "common/size.h"
#include "conv2d/op/op.h"
#include "conv2d/op/parallel.h"

/* [outer][rows][columns][channels] or [outer][channels][rows][columns] as the latter. */
static double *plain(const void *array, const struct conv2d_problem *p, int outer, int rows,
                     int columns)
{
    const size_t plane = (size_t)rows * (size_t)columns, channels = (size_t)p->c;
    double *copy = hpc_malloc(hpc_mul(hpc_mul((size_t)outer * channels, plane), sizeof *copy));
    size_t at = 0;
    for (size_t o = 0; o < (size_t)outer; o++)
        for (size_t c = 0; c < channels; c++)
            for (size_t i = 0; i < plane; i++, at++)
                copy[at] = conv_element(
                    array, p->type, p->layout == CONV_NCHW ? at : (o * plane + i) * channels + c);
    return copy;
}

double *conv_plain_x(const struct conv2d_problem *p, const void *x)
{
    return plain(x, p, p->n, p->h, p->w);
}

double *conv_plain_w(const struct conv2d_problem *p, const void *w)
{
    return plain(w, p, p->k, p->r, p->s);
}

size_t conv_y_index(const struct convpool_problem *p, int n, int k, int u, int v)
{
    const size_t rows = (size_t)convpool_rows(p), columns = (size_t)convpool_columns(p);
    const size_t filters = (size_t)p->conv.k;
    if (p->conv.layout == CONV_NCHW)
        return (((size_t)n * filters + (size_t)k) * rows + (size_t)u) * columns + (size_t)v;
    return (((size_t)n * rows + (size_t)u) * columns + (size_t)v) * filters + (size_t)k;
}

struct planes {
    const struct convpool_problem *p;
    const double *x, *w;
    struct conv_sums *sums;
};

/* The outputs q with 0 <= q * stride + shift < length: [*first, *end), within [0, count). */
static void covered(int count, int stride, int shift, int length, int *first, int *end)
{
    *first = shift < 0 ? (-shift + stride - 1) / stride : 0;
    *end = shift < length ? (length - 1 - shift) / stride + 1 : 0;
    *end = *end < count ? *end : count;
}

/* y[0..count) += w * x, and the same with absolute values and with squares. */
static void add_row(int count, int stride, double w, const double *restrict x, double *restrict y,
                    double *restrict a, double *restrict s)
{
    for (int q = 0; q < count; q++) {
        const double product = w * x[(size_t)q * (size_t)stride];
        y[q] += product;
        a[q] += fabs(product);
        s[q] += product * product;
    }
}

/* Add channel c's share to the planes y, a, s of P x Q convolution sums. */
static void add_channel(const struct conv2d_problem *p, const double *x, const double *w, double *y,
                        double *a, double *s)
{
    const int rows = conv2d_rows(p), columns = conv2d_columns(p);
    for (int i = 0; i < p->r; i++) {
        int top, bottom;
        covered(rows, p->stride, i - p->pad, p->h, &top, &bottom);
        for (int j = 0; j < p->s; j++) {
            int first, end;
            covered(columns, p->stride, j - p->pad, p->w, &first, &end);
            for (int row = top; row < bottom && first < end; row++) {
                const size_t to = (size_t)row * (size_t)columns + (size_t)first;
                const size_t from = (size_t)(row * p->stride + i - p->pad) * (size_t)p->w +
                                    (size_t)(first * p->stride + j - p->pad);
                add_row(end - first, p->stride, w[i * p->s + j], x + from, y + to, a + to, s + to);
            }
        }
    }
}

/* All sums of image and filter `index`. */
static void one_plane(void *arg, int index)
{
    const struct planes *all = arg;
    const struct conv2d_problem *p = &all->p->conv;
    const int n = index / p->k, k = index % p->k, pool = all->p->pool;
    const int columns = conv2d_columns(p);
    const size_t size = (size_t)conv2d_rows(p) * (size_t)columns;
    const size_t map = (size_t)p->h * (size_t)p->w, taps = (size_t)p->r * (size_t)p->s;
    double *y = hpc_calloc(3 * size, sizeof *y), *a = y + size, *s = a + size;
    for (size_t c = 0; c < (size_t)p->c; c++)
        add_channel(p, all->x + ((size_t)n * (size_t)p->c + c) * map,
                    all->w + ((size_t)k * (size_t)p->c + c) * taps, y, a, s);
    const double share = 1.0 / (pool * pool);
    for (int u = 0; u < convpool_rows(all->p); u++)
        for (int v = 0; v < convpool_columns(all->p); v++) {
            const size_t to = conv_y_index(all->p, n, k, u, v);
            double sum[3] = {0};
            for (int i = 0; i < pool * pool; i++) {
                const size_t from =
                    (size_t)(u * pool + i / pool) * (size_t)columns + (size_t)(v * pool + i % pool);
                sum[0] += y[from];
                sum[1] += a[from];
                sum[2] += s[from];
            }
            all->sums->y[to] = share * sum[0];
            all->sums->absolute[to] = share * sum[1];
            all->sums->squares[to] = share * share * sum[2];
        }
    free(y);
}

struct conv_sums conv_oracle_plain(const struct convpool_problem *p, const double *x,
                                   const double *w)
{
    struct conv_sums sums = {.count = convpool_y_count(p)};
    sums.y = hpc_malloc(hpc_mul(3 * sums.count, sizeof *sums.y));
    sums.absolute = sums.y + sums.count;
    sums.squares = sums.absolute + sums.count;
    struct planes all = {p, x, w, &sums};
    parallel_for(p->conv.n * p->conv.k, one_plane, &all);
    return sums;
}

struct conv_sums conv_oracle(const struct convpool_problem *p, const void *x, const void *w)
{
    double *plain_x = conv_plain_x(&p->conv, x), *plain_w = conv_plain_w(&p->conv, w);
    struct conv_sums sums = conv_oracle_plain(p, plain_x, plain_w);
    free(plain_x);
    free(plain_w);
    return sums;
}

void conv_sums_free(struct conv_sums *sums)
{
    free(sums->y);
    *sums = (struct conv_sums){0};
}
