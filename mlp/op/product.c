/* Which terms of its sums a wrong matrix product takes, in a net without activations whose matrices
 * are wide: every column of one is an equation for the factors that the others went with.
 *
 * What one update adds to a matrix W_l is a^T D / m, with a row of ones before a. Of known a (m x
 * k) it gives D of each sample, where k >= m. So the first matrix of two layers gives o = y - D,
 * and with it the factors of product nn; where no D fits, those of product tn. Of three layers it
 * gives the factors of product nt. */
#include "mlp/op/product.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/size.h"
#include "common/stats.h"
#include "common/text.h"
#include "mlp/op/op.h"

#define UP   8   /* sizes grow by multiples of it: what is left over after vectors stays */
#define MOST 100 /* terms of a sum, or samples: below FIT_MAX */
#define NEAR 1e-3

/* One batch of m samples. */
struct update {
    const struct mlp_problem *p;
    int m;
    const double *w0, *w, *x, *y;
    const double *d; /* of layer 1, m rows */
    double rate;
    char *text;
    size_t size;
};

static double before(const struct update *u, int l, int row, int j)
{
    return u->w0[mlp_offset(u->p, l) + (size_t)row * (size_t)u->p->size[l + 1] + (size_t)j];
}

/* What the update adds to a weight, over rate / m. */
static double moved(const struct update *u, int l, int row, int j)
{
    const size_t at = mlp_offset(u->p, l) + (size_t)row * (size_t)u->p->size[l + 1] + (size_t)j;
    return (u->w[at] - u->w0[at]) / u->rate * u->m;
}

/* D[i][j] of layer 1 by the update of the first matrix; false where none explains it. */
static bool deltas(const struct update *u, double *d)
{
    const int k = u->p->size[0], n = u->p->size[1];
    double row[FIT_MAX], column[FIT_MAX], left = 1;
    bool known = true;
    struct fit f;
    for (int j = 0; j < n && known; j++) {
        fit_open(&f, u->m);
        for (int r = 0; r <= k; r++) {
            for (int i = 0; i < u->m; i++)
                row[i] = r > 0 ? u->x[i * k + r - 1] : 1;
            fit_add(&f, row, moved(u, 0, r, j));
        }
        known = fit_solve(&f, column, &left) && left < NEAR;
        for (int i = 0; i < u->m && known; i++)
            d[i * n + j] = column[i];
        fit_close(&f);
    }
    return known;
}

/* The first wrong factor, and how many are; -1: none. */
static int first_wrong(int n, const double *got, const double *want, int *wrong)
{
    int first = -1;
    *wrong = 0;
    for (int i = n - 1; i >= 0; i--)
        if (!(fabs(got[i] - want[i]) <= NEAR * fmax(1, fabs(want[i])))) {
            first = i;
            ++*wrong;
        }
    return first;
}

/* The index whose factor is v; -1: none, or several. */
static int factor_of(int n, const double *want, double v)
{
    int at = -1;
    for (int i = 0; i < n; i++)
        if (fabs(want[i] - v) <= NEAR * fmax(1, fabs(v))) {
            if (at >= 0)
                return -1;
            at = i;
        }
    return at;
}

/* In words: n factors as they came and as they should be, named by their index. False: right. */
static bool say_terms(const struct update *u, const char *product, const char *sum, int n,
                      const double *got, const double *want)
{
    int wrong;
    const int at = first_wrong(n, got, want, &wrong);
    if (at < 0)
        return false;
    const int other = factor_of(n, want, got[at]), more = factor_of(n, want, got[at] - want[at]);
    const double times = got[at] / want[at];
    char how[80];
    if (fabs(got[at]) <= NEAR)
        snprintf(how, sizeof how, "is left out");
    else if (fabs(times - round(times)) < NEAR)
        snprintf(how, sizeof how, "counts %.0f times", times);
    else if (other >= 0)
        snprintf(how, sizeof how, "takes the first factor of term %d", other);
    else if (more >= 0)
        snprintf(how, sizeof how, "takes the first factor of term %d too", more);
    else
        snprintf(how, sizeof how, "has %.4g for its first factor, should have %.4g", got[at],
                 want[at]);
    snprintf(u->text, u->size, "%s is wrong: of %s, term %d %s (%d of %d terms are wrong)", product,
             sum, at, how, wrong, n);
    return true;
}

/* Least squares: the factors of n rows of numbers, by so many equations. */
typedef double equation(const struct update *u, int sample, int at, double *row);
static bool factors(const struct update *u, equation *one, int sample, int n, int equations,
                    double *c)
{
    struct fit f;
    double row[FIT_MAX], b, left = 1;
    fit_open(&f, n);
    for (int i = 0; i < equations; i++, fit_add(&f, row, b))
        b = one(u, sample, i, row);
    const bool known = fit_solve(&f, c, &left) && left < NEAR;
    fit_close(&f);
    return known;
}

static double nn_equation(const struct update *u, int sample, int j, double *row)
{
    const int k = u->p->size[0], n = u->p->size[1];
    for (int p = 0; p < k; p++)
        row[p] = before(u, 0, 1 + p, j);
    row[k] = before(u, 0, 0, j);
    return u->y[sample * n + j] - u->d[sample * n + j];
}

static bool say_nn(const struct update *u)
{
    const int k = u->p->size[0], n = u->p->size[1];
    double got[FIT_MAX], want[FIT_MAX];
    char sum[80];
    for (int i = 0; i < u->m; i++) {
        if (!factors(u, nn_equation, i, k + 1, n, got))
            return false;
        for (int p = 0; p < k; p++)
            want[p] = u->x[i * k + p];
        want[k] = 1;
        snprintf(sum, sizeof sum, "c[%d][j] += sum of a[%d][p] * b[p][j], k = %d", i, i, k);
        if (fabs(got[k]) < NEAR) {
            snprintf(u->text, u->size,
                     "product nn is wrong: c is overwritten, not added to, and its bias lost");
            return true;
        }
        if (say_terms(u, "product nn", sum, k, got, want))
            return true;
    }
    return false;
}

/* The right D of the only layer that has weights before it. */
static double right_delta(const struct update *u, int i, int j)
{
    double o = before(u, 0, 0, j);
    for (int p = 0, k = u->p->size[0]; p < k; p++)
        o += u->x[i * k + p] * before(u, 0, 1 + p, j);
    return u->y[i * u->p->size[1] + j] - o;
}

static double tn_equation(const struct update *u, int p, int j, double *row)
{
    for (int i = 0; i < u->m; i++)
        row[i] = right_delta(u, i, j);
    row[u->m] = before(u, 0, 1 + p, j) / u->rate * u->m;
    return moved(u, 0, 1 + p, j);
}

static bool say_tn(const struct update *u)
{
    const int k = u->p->size[0];
    double got[FIT_MAX], want[FIT_MAX];
    char sum[80];
    for (int p = 0; p < k; p++) {
        if (!factors(u, tn_equation, p, u->m + 1, u->p->size[1], got))
            return false;
        for (int i = 0; i < u->m; i++)
            want[i] = u->x[i * k + p];
        if (fabs(got[u->m] + 1) < NEAR) {
            snprintf(
                u->text, u->size,
                "product tn is wrong: b is overwritten, not added to, and its old values lost");
            return true;
        }
        const double times = got[0] / want[0], scale = u->rate / u->m;
        const bool out = fabs(times * scale - 1) < NEAR, twice = fabs(times / scale - 1) < NEAR;
        if ((out || twice) && fabs(scale - 1) > NEAR) {
            const char *how = out ? "left out" : "taken twice";
            snprintf(u->text, u->size, "product tn is wrong: scale is %s", how);
            return true;
        }
        snprintf(sum, sizeof sum, "b[%d][j] += scale * sum of a[i][%d] * d[i][j], m = %d", p, p,
                 u->m);
        if (say_terms(u, "product tn", sum, u->m, got, want))
            return true;
    }
    return false;
}

/* Of three layers: the outputs of the middle one, and the right D of the last. */
static double last_delta(const struct update *u, int i, int j)
{
    const struct mlp_problem *p = u->p;
    double o = before(u, 1, 0, j);
    for (int h = 0; h < p->size[1]; h++) {
        double z = before(u, 0, 0, h);
        for (int k = 0; k < p->size[0]; k++)
            z += u->x[i * p->size[0] + k] * before(u, 0, 1 + k, h);
        o += z * before(u, 1, 1 + h, j);
    }
    return u->y[i * p->size[2] + j] - o;
}

static double nt_equation(const struct update *u, int sample, int p, double *row)
{
    for (int j = 0; j < u->p->size[2]; j++)
        row[j] = before(u, 1, 1 + p, j);
    return u->d[sample * u->p->size[1] + p];
}

static bool say_nt(const struct update *u)
{
    const int n = u->p->size[2];
    double got[FIT_MAX], want[FIT_MAX];
    char sum[80];
    for (int i = 0; i < u->m; i++) {
        if (!factors(u, nt_equation, i, n, u->p->size[1], got))
            return false;
        for (int j = 0; j < n; j++)
            want[j] = last_delta(u, i, j);
        snprintf(sum, sizeof sum, "e[%d][p] = sum of d[%d][j] * b[p][j], n = %d", i, i, n);
        if (say_terms(u, "product nt", sum, n, got, want))
            return true;
    }
    return false;
}

bool mlp_product_part(const struct mlp_problem *p, const double *w0, const double *w,
                      const double *x, const double *y, double rate, char *text, size_t size)
{
    if (!mlp_product_probe(p))
        return false;
    double *d = hpc_calloc((size_t)p->samples * (size_t)p->size[1] + 1, sizeof *d);
    const struct update u = {p, p->samples, w0, w, x, y, d, rate, text, size};
    const bool known = deltas(&u, d), three = p->n_layers > 2;
    const bool said = three ? known && say_nt(&u) : known ? say_nn(&u) : say_tn(&u);
    free(d);
    return said;
}

bool mlp_product_probe(const struct mlp_problem *p)
{
    const int last = p->n_layers - 1;
    for (int l = 1; l <= last; l++)
        if (p->activation[l] != MLP_IDENTITY)
            return false;
    return p->batch > 0 && last <= 2 && p->samples <= p->size[0] && p->samples < MOST &&
           p->size[0] <= MOST && (last == 1 || p->size[last] <= MOST) &&
           (last == 1 ? p->size[1] >= 2 * p->size[0] + 2 : p->size[1] >= 2 * p->size[2]);
}

/* `size`, or what is UP times a number more, and at least `least`. */
static int grown(int size, int least)
{
    return size >= least ? size : size + (least - size + UP - 1) / UP * UP;
}

bool mlp_minibatch_probe(const void *problem, int number, char *keys, size_t size)
{
    const struct mlp_problem *p = problem;
    const int m = p->samples < p->batch ? p->samples : p->batch, last = p->n_layers - 1;
    const int columns = grown(p->size[0], m + 1), n = p->size[last];
    if (p->batch < 1 || m < 1 || number > 1 || columns > MOST || n > MOST || m >= MOST)
        return false;
    text_fit(keys, size, "data=blobs rate=0.375 epochs=1 samples=%d batch=%d ", m,
             p->batch < p->samples ? p->batch : m);
    if (number == 0)
        text_fit(keys, size, "%slayers=%d,%d activations=identity", keys, columns,
                 grown(p->size[1], 2 * columns + 2));
    else
        text_fit(keys, size, "%slayers=%d,%d,%d activations=identity,identity", keys, columns,
                 grown(p->size[last - 1], 2 * n + 2), n);
    return true;
}
