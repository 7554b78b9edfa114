/* What arrays read in another order than they have make of y: x or its pooled sums as N, H, W, C,
 * or a matrix of a product by columns where it stands by rows. */
#include <math.h>
#include <stdlib.h>

#include "common/size.h"
#include "conv2d/op/op.h"

/* Planes [outer][C][rows][columns], from the numbers in memory read as [outer][rows][columns][C].
 */
static void as_nhwc(int outer, int c, int plane, const double *from, double *to)
{
    for (int o = 0; o < outer; o++)
        for (int ch = 0; ch < c; ch++)
            for (int i = 0; i < plane; i++)
                *to++ = from[((size_t)o * (size_t)plane + (size_t)i) * (size_t)c + (size_t)ch];
}

static bool equals_nhwc(const struct convpool_problem *p, const double *got, const double *x,
                        const double *w)
{
    double *other = hpc_malloc(hpc_mul(conv2d_x_count(&p->conv), sizeof *other));
    as_nhwc(p->conv.n, p->conv.c, p->conv.h * p->conv.w, x, other);
    const bool same = conv_equals(p, got, other, w, 1);
    free(other);
    return same;
}

/* The same of the means of all pools that a filter meets, an array of its own; `exact`: of no more
 * rows and columns than outputs need. */
static bool equals_means_nhwc(const struct convpool_problem *p, bool exact, const double *got,
                              const double *x, const double *w)
{
    struct convpool_problem to;
    conv_pooled(p, &to);
    if (exact) {
        to.conv.h = (convpool_rows(p) - 1) * p->pool + p->conv.r;
        to.conv.w = (convpool_columns(p) - 1) * p->pool + p->conv.s;
    }
    const size_t n = conv2d_x_count(&to.conv), n_x = conv2d_x_count(&p->conv);
    const size_t n_w = conv2d_w_count(&p->conv);
    double *means = hpc_malloc(hpc_mul(2 * n + n_x + n_w, sizeof *means)), *other = means + n;
    double *absolute = other + n, *weights = absolute + n_x;
    conv_pool_means(p, &to.conv, x, means);
    as_nhwc(to.conv.n, to.conv.c, to.conv.h * to.conv.w, means, other);
    struct conv_sums want = conv_oracle_plain(&to, other, w);
    for (size_t i = 0; i < n_x; i++)
        absolute[i] = fabs(x[i]);
    for (size_t i = 0; i < n_w; i++)
        weights[i] = fabs(w[i]);
    conv_pool_means(p, &to.conv, absolute, means); /* a mean may cancel, its rounding does not */
    as_nhwc(to.conv.n, to.conv.c, to.conv.h * to.conv.w, means, other);
    struct conv_sums most = conv_oracle_plain(&to, other, weights);
    bool same = true;
    for (size_t i = 0; i < want.count && same; i++)
        same = conv_near(p, got[i], want.y[i], most.y[i]);
    conv_sums_free(&want);
    conv_sums_free(&most);
    free(means);
    return same;
}

/* y = f d: f [K][depth] the filters with their pool, d [depth][outputs] the windows of an image. */
struct product {
    const struct convpool_problem *p;
    const double *x, *w, *got;
    double *f, *d;
    int depth, outputs;
};

/* How a matrix of rows x columns is read: right, as if its rows were its columns, or one that was
 * stored turned, as if it were not. */
enum reading { BY_ROWS, BY_COLUMNS, TURNED, READINGS };

/* Where the reading finds element (i, j), as a place by rows of the right matrix. */
static size_t place(enum reading reading, int rows, int columns, int i, int j)
{
    const size_t by_rows = (size_t)i * (size_t)columns + (size_t)j;
    const size_t by_columns = (size_t)j * (size_t)rows + (size_t)i;
    if (reading == BY_COLUMNS)
        return by_columns;
    if (reading == TURNED) /* number `by_rows` in memory, which has the matrix by columns */
        return by_rows % (size_t)rows * (size_t)columns + by_rows / (size_t)rows;
    return by_rows;
}

static void fuse(struct product *q)
{
    const struct conv2d_problem *p = &q->p->conv;
    const int pool = q->p->pool, step = p->stride, s = p->s + (pool - 1) * step;
    for (int i = 0; i < p->k * q->depth; i++)
        q->f[i] = 0;
    for (int f = 0; f < p->k * p->c; f++)
        for (int i = 0; i < p->r * p->s; i++)
            for (int a = 0; a < pool * pool; a++)
                q->f[(f * (p->r + (pool - 1) * step) + i / p->s + a / pool * step) * s + i % p->s +
                     a % pool * step] += q->w[f * p->r * p->s + i] / (pool * pool);
}

static void windows(struct product *q, int n)
{
    const struct conv2d_problem *p = &q->p->conv;
    const int pool = q->p->pool, columns = convpool_columns(q->p);
    const int r = p->r + (pool - 1) * p->stride, s = p->s + (pool - 1) * p->stride;
    for (int i = 0; i < q->depth; i++)
        for (int o = 0; o < q->outputs; o++) {
            const int h = o / columns * pool * p->stride + i / s % r - p->pad;
            const int v = o % columns * pool * p->stride + i % s - p->pad;
            const bool inside = h >= 0 && h < p->h && v >= 0 && v < p->w;
            q->d[i * q->outputs + o] =
                inside ? q->x[((n * p->c + i / (r * s)) * p->h + h) * p->w + v] : 0;
        }
}

static bool equals_product(struct product *q, enum reading f, enum reading d, bool turned)
{
    const int k = q->p->conv.k;
    for (int n = 0; n < q->p->conv.n; n++) {
        windows(q, n);
        const double *got = q->got + (size_t)n * (size_t)k * (size_t)q->outputs;
        for (int i = 0; i < k; i++)
            for (int o = 0; o < q->outputs; o++) {
                double sum = 0, absolute = 0;
                for (int l = 0; l < q->depth; l++) {
                    const double term = q->f[place(f, k, q->depth, i, l)] *
                                        q->d[place(d, q->depth, q->outputs, l, o)];
                    sum += term;
                    absolute += term < 0 ? -term : term;
                }
                if (!conv_near(q->p, got[turned ? o * k + i : i * q->outputs + o], sum, absolute))
                    return false;
            }
    }
    return true;
}

static const char *product_words(const struct convpool_problem *p, enum reading f, enum reading d)
{
    if (p->conv.k > 1 && d == BY_ROWS && f == BY_COLUMNS)
        return "equals a product whose filters, [K][C R S], are read as [C R S][K]: they are "
               "turned once too often, or for cuBLAS, which reads matrices by columns, not at all";
    if (p->conv.k > 1 && d == BY_ROWS)
        return "equals a product whose filters, [K][C R S], are read the other way, rows for "
               "columns: cuBLAS reads matrices by columns, and yours stand by rows, or were turned "
               "before";
    if (p->conv.k > 1 && f == BY_ROWS)
        return "equals a product whose windows are read the other way, rows for columns: cuBLAS "
               "reads matrices by columns, and yours stand by rows, or were turned before";
    return "equals a product whose matrices are read the other way, rows for columns: cuBLAS reads "
           "them by columns; y = F D of matrices by rows is asked for as D F, without CUBLAS_OP_T";
}

static const char *product_hint(const struct convpool_problem *p, const double *got,
                                const double *x, const double *w)
{
    enum { MOST = 4000000 }; /* products a reading */
    const struct conv2d_problem *c = &p->conv;
    struct product q = {.p = p, .x = x, .w = w, .got = got};
    const int more = (p->pool - 1) * c->stride;
    const char *words = NULL;
    q.outputs = convpool_rows(p) * convpool_columns(p);
    q.depth = c->c * (c->r + more) * (c->s + more);
    if (c->layout != CONV_NCHW || (double)c->n * c->k * q.outputs * q.depth > MOST)
        return NULL;
    q.f = hpc_malloc(hpc_mul((size_t)q.depth * (size_t)(c->k + q.outputs), sizeof *q.f));
    q.d = q.f + (size_t)q.depth * (size_t)c->k;
    fuse(&q);
    for (int i = 1; i < 2 * READINGS * READINGS && !words; i++) {
        const enum reading d = (enum reading)(i / 2 % READINGS);
        const enum reading f = (enum reading)(i / 2 / READINGS);
        if (equals_product(&q, f, d, i % 2))
            words = product_words(p, f, d);
    }
    free(q.f);
    return words;
}

const char *conv_order_hint(const struct convpool_problem *p, const double *got, const double *x,
                            const double *w)
{
    if (p->conv.c > 1 && p->conv.layout == CONV_NCHW && equals_nhwc(p, got, x, w))
        return "equals the sums over x read as N, H, W, C: x is N, C, H, W";
    if (p->conv.c > 1 && p->conv.layout == CONV_NCHW && p->conv.stride == 1 &&
        (equals_means_nhwc(p, false, got, x, w) || equals_means_nhwc(p, true, got, x, w)))
        return "equals a convolution of the pool's sums read as N, H, W, C: they stand as N, C, H, "
               "W: is the format of a descriptor right?";
    return p->pool > 1 || p->conv.stride > 1 || p->conv.r * p->conv.s > 1
               ? product_hint(p, got, x, w)
               : NULL;
}
