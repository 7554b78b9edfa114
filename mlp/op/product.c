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
#include "mlp/op/product_terms.h"

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

/* What row i of c took of its sums, without the bias, by columns. */
static bool nn_columns(const struct product_update *u, int i)
{
    const int n = u->p->size[1];
    double *got = hpc_malloc(hpc_mul(2 * (size_t)n, sizeof *got)), *want = got + n;
    char cell[40];
    for (int j = 0; j < n; j++) {
        const double y = u->y[i * n + j], bias = product_before(u, 0, 0, j);
        got[j] = y - u->d[i * n + j] - bias;
        want[j] = y - right_delta(u, i, j) - bias;
    }
    snprintf(cell, sizeof cell, "c[%d][j]", i);
    const bool said = product_say_columns(u, "product nn", cell, n, got, want);
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
        if (product_say_terms(u, "product nn", sum, k, got, want))
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

/* What row p of b took of its sums, by columns. */
static bool tn_columns(const struct product_update *u, int p)
{
    const int n = u->p->size[1], k = u->p->size[0];
    double *got = hpc_malloc(hpc_mul(2 * (size_t)n, sizeof *got)), *want = got + n;
    char cell[40];
    for (int j = 0; j < n; j++) {
        got[j] = product_moved(u, 0, 1 + p, j);
        want[j] = 0;
        for (int i = 0; i < u->m; i++)
            want[j] += u->x[i * k + p] * right_delta(u, i, j);
    }
    snprintf(cell, sizeof cell, "b[%d][j]", p);
    const bool said = product_say_columns(u, "product tn", cell, n, got, want);
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
        if (product_say_terms(u, "product tn", sum, u->m, got, want))
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
    const bool said = three ? product_say_last(&u, known) : known ? say_nn(&u) : say_tn(&u);
    free(d);
    return said;
}
