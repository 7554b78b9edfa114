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
#include "mlp/op/product_terms.h"

#define UP 8 /* sizes grow by multiples of it: what is left over after vectors stays */

bool mlp_product_probe(const struct mlp_problem *p)
{
    const int last = p->n_layers - 1;
    for (int l = 1; l <= last; l++)
        if (p->activation[l] != MLP_IDENTITY)
            return false;
    return p->batch > 0 && last <= 2 && p->samples <= p->size[0] && p->samples < PRODUCT_MOST &&
           p->size[0] <= PRODUCT_MOST && (last == 1 || p->size[last] <= PRODUCT_MOST) &&
           (last == 1 ? p->size[1] >= 2 * p->size[0] + 2 : p->size[1] >= 2 * p->size[2]);
}

/* `size`, or what is UP times a number more, and at least `least`. */
static int grown(int size, int least)
{
    return size >= least ? size : size + (least - size + UP - 1) / UP * UP;
}

/* A size, or a smaller one with the same rest. */
static int capped(int size)
{
    return size <= PRODUCT_MOST - 2 * UP ? size : 64 + size % UP;
}

/* The largest layer of at most PRODUCT_MOST units. */
static int widest(const struct mlp_problem *p)
{
    int most = 1;
    for (int l = 0; l < p->n_layers; l++)
        if (p->size[l] <= PRODUCT_MOST && p->size[l] > most)
            most = p->size[l];
    return most;
}

/* Replicas that all train, on shards of two sizes, merged once; or three samples in two epochs,
 * whose order can be told. */
static bool few_updates(const struct mlp_problem *p, char *keys, size_t size)
{
    text_fit(keys, size, "data=blobs " MLP_PART_RATE " ");
    if (p->replicas > 1)
        text_fit(keys, size, "%ssamples=%d epochs=1 merge_every=5", keys, 3 * p->replicas - 1);
    else
        text_fit(keys, size, "%ssamples=3 epochs=2 permutations=2", keys);
    return p->networks == 1;
}

#define WIDE 6 /* outputs of which no two slips make the same D */
/* One update of the problem's layers, of so many units that a slip can be told by its numbers. */
static bool wide_update(const struct mlp_problem *p, char *keys, size_t size)
{
    text_fit(keys, size,
             "data=blobs " MLP_PART_RATE
             " samples=1 epochs=1 permutations=1 replicas=1 merge_every=1 "
             "layers=%d",
             p->size[0] < 3 ? 3 : p->size[0]);
    for (int l = 1; l < p->n_layers; l++)
        text_fit(keys, size, "%s,%d", keys, p->size[l] < WIDE ? WIDE + l : p->size[l]);
    return p->networks == 1;
}

/* Where nothing moved, since a derivative is 0 where an output is, or the only target, or a loop
 * leaves out a matrix, and there is one: a net of no such derivatives, two matrices and two
 * targets, of which one is not 0. */
bool mlp_sgd_probe(const void *problem, int number, char *keys, size_t size)
{
    const struct mlp_problem *p = problem;
    const int last = p->n_layers - 1;
    if (number >= 0)
        return number < 2 && (number ? wide_update : few_updates)(p, keys, size);
    text_fit(keys, size, MLP_PART_RATE " activations=identity%s", last == 1 ? ",identity" : "");
    for (int l = 2; l <= last; l++)
        text_fit(keys, size, "%s,identity", keys);
    text_fit(keys, size, "%s layers=%d%s", keys, p->size[0], last == 1 ? ",3" : "");
    for (int l = 1; l <= last; l++)
        text_fit(keys, size, "%s,%d", keys, l == last && p->size[l] < 2 ? 2 : p->size[l]);
    return true;
}

bool mlp_minibatch_probe(const void *problem, int number, char *keys, size_t size)
{
    const struct mlp_problem *p = problem;
    const int whole = p->samples < p->batch ? p->samples : p->batch, last = p->n_layers - 1;
    const int m = number == 4 && whole > 0 ? 1 : whole;
    /* the sums of products nn and tn as the problem has them, then of nt, then long ones; at last
     * nn's beside a sum of one term in tn */
    const int wide = widest(p), first = grown(capped(number == 2 ? wide : p->size[0]), m + 1);
    const int n = capped(number == 3 ? wide : p->size[last]);
    const int second = capped(p->size[last - 1]);
    if (p->batch < 1 || m < 1 || number < 0 || number > 4 || first > PRODUCT_MOST)
        return false;
    text_fit(keys, size, "data=blobs rate=0.375 epochs=1 samples=%d batch=%d ", m,
             number < 4 && p->batch < p->samples ? p->batch : m);
    if (number % 2 == 0)
        text_fit(keys, size, "%slayers=%d,%d activations=identity", keys, first,
                 grown(capped(p->size[1]), 2 * first + 2));
    else
        text_fit(keys, size, "%slayers=%d,%d,%d activations=identity,identity", keys, first,
                 grown(second, 2 * n + 2), n);
    return true;
}

static double nn_equation(const struct product_update *u, int sample, int j, double *row)
{
    const int k = u->p->size[0], n = u->p->size[1];
    for (int p = 0; p < k; p++)
        row[p] = product_before(u, 0, 1 + p, j);
    row[k] = product_before(u, 0, 0, j);
    return u->y[sample * n + j] - u->d[sample * n + j];
}

/* The right D of the only layer that has weights before it. */
static double right_delta(const struct product_update *u, int i, int j)
{
    double o = product_before(u, 0, 0, j);
    for (int p = 0, k = u->p->size[0]; p < k; p++)
        o += u->x[i * k + p] * product_before(u, 0, 1 + p, j);
    return u->y[i * u->p->size[1] + j] - o;
}

static double nn_term(const struct product_update *u, const double *x, int i, int p, int j)
{
    return x[i * u->p->size[0] + p] * product_before(u, 0, 1 + p, j);
}

/* What row i of c took of its sums, without the bias, by columns. */
static bool nn_columns(const struct product_update *u, int i)
{
    const int n = u->p->size[1];
    double *got = hpc_malloc(hpc_mul(2 * (size_t)n, sizeof *got)), *bias = got + n;
    char cell[40];
    for (int j = 0; j < n; j++) {
        bias[j] = product_before(u, 0, 0, j);
        got[j] = u->y[i * n + j] - u->d[i * n + j] - bias[j];
    }
    snprintf(cell, sizeof cell, "c[%d][j]", i);
    const struct product_row row = {"product nn", cell, i, n, u->p->size[0], nn_term, u->x, bias};
    const bool said = product_say_columns(u, &row, got);
    free(got);
    return said;
}

/* Whether the factors of k terms and the bias are those of c = a c + b, not of c += a b. */
static bool exchanged(const struct product_update *u, int sample, const double *got)
{
    const int k = u->p->size[0];
    double all = 1;
    for (int p = k - 1; p >= 0; p--) {
        if (!(fabs(got[p] - all) <= PRODUCT_NEAR * fmax(1, fabs(all))))
            return false;
        all *= u->x[sample * k + p];
    }
    return k > 1;
}

/* Whether the factors of a sum are those of a (m x k) read as k x m: x[first], and so on in steps.
 */
static bool say_transposed(const struct product_update *u, const char *product, int n,
                           const double *got, int first, int step)
{
    if (u->m < 2 || u->p->size[0] < 2 || n < 2)
        return false;
    for (int i = 0; i < n; i++) {
        const double x = u->x[first + i * step];
        if (!(fabs(got[i] - x) <= PRODUCT_NEAR * fmax(1, fabs(x))))
            return false;
    }
    snprintf(u->text, u->size,
             "%s is wrong: a, m x k, is read as its transpose: a[i][p] is a[i * k + p], not "
             "a[p * m + i]",
             product);
    return true;
}

static bool say_nn(const struct product_update *u)
{
    const int k = u->p->size[0], n = u->p->size[1];
    double got[FIT_MAX], want[FIT_MAX];
    char sum[80];
    for (int i = 0; i < u->m; i++) {
        if (!product_factors(u, nn_equation, i, k + 1, n, got))
            return nn_columns(u, i);
        for (int p = 0; p < k; p++)
            want[p] = u->x[i * k + p];
        want[k] = 1;
        if (exchanged(u, i, got)) {
            snprintf(u->text, u->size,
                     "product nn is wrong: c = a * c + b stands where c = a * b + c belongs, as of "
                     "an fma's arguments");
            return true;
        }
        snprintf(sum, sizeof sum, "c[%d][j] += sum of a[%d][p] * b[p][j], k = %d", i, i, k);
        if (fabs(got[k]) < PRODUCT_NEAR) {
            snprintf(u->text, u->size,
                     "product nn is wrong: c is overwritten, not added to, and its bias lost");
            return true;
        }
        if ((say_transposed(u, "product nn", k, got, i, u->m)) ||
            product_say_terms(u, "product nn", sum, k, got, want))
            return true;
    }
    return false;
}

static double tn_equation(const struct product_update *u, int p, int j, double *row)
{
    for (int i = 0; i < u->m; i++)
        row[i] = right_delta(u, i, j);
    row[u->m] = product_before(u, 0, 1 + p, j) / u->rate * u->m;
    return product_moved(u, 0, 1 + p, j);
}

static double tn_term(const struct product_update *u, const double *x, int p, int i, int j)
{
    return x[i * u->p->size[0] + p] * right_delta(u, i, j);
}

/* What row p of b took of its sums, by columns. */
static bool tn_columns(const struct product_update *u, int p)
{
    const int n = u->p->size[1];
    double *got = hpc_malloc(hpc_mul((size_t)n, sizeof *got));
    char cell[40];
    for (int j = 0; j < n; j++)
        got[j] = product_moved(u, 0, 1 + p, j);
    snprintf(cell, sizeof cell, "b[%d][j]", p);
    const struct product_row row = {"product tn", cell, p, n, u->m, tn_term, u->x, NULL};
    const bool said = product_say_columns(u, &row, got);
    free(got);
    return said;
}

static bool say_tn(const struct product_update *u)
{
    const int k = u->p->size[0];
    double got[FIT_MAX], want[FIT_MAX];
    char sum[80];
    for (int p = 0; p < k; p++) {
        if (!product_factors(u, tn_equation, p, u->m + 1, u->p->size[1], got))
            return tn_columns(u, p);
        if (product_say_still(u, p))
            return true;
        for (int i = 0; i < u->m; i++)
            want[i] = u->x[i * k + p];
        if (fabs(got[u->m] + 1) < PRODUCT_NEAR) {
            snprintf(
                u->text, u->size,
                "product tn is wrong: b is overwritten, not added to, and its old values lost");
            return true;
        }
        const double times = got[0] / want[0], scale = u->rate / u->m;
        const bool out = fabs(times * scale - 1) < PRODUCT_NEAR,
                   twice = fabs(times / scale - 1) < PRODUCT_NEAR;
        if ((out || twice) && fabs(scale - 1) > PRODUCT_NEAR) {
            const char *how = out ? "left out" : "taken twice";
            snprintf(u->text, u->size, "product tn is wrong: scale is %s", how);
            return true;
        }
        snprintf(sum, sizeof sum, "b[%d][j] += scale * sum of a[i][%d] * d[i][j], m = %d", p, p,
                 u->m);
        if ((say_transposed(u, "product tn", u->m, got, p * u->m, 1)) ||
            product_say_terms(u, "product tn", sum, u->m, got, want))
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
    const struct product_update u = {p, p->samples, w0, w, x, y, d, rate, text, size};
    const bool known = product_deltas(&u, 0, x, d), three = p->n_layers > 2;
    const bool said = three   ? product_say_last(&u, known)
                      : known ? say_nn(&u)
                              : product_say_lost(&u) || say_tn(&u);
    free(d);
    return said;
}
