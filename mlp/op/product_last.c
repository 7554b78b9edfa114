/* Of a net of three layers, without activations: which terms the products nn and nt take in the
 * last one, whose matrix has more rows than columns. What the update adds to it gives D of the
 * outputs, and so these; the first matrix gives D of the middle layer, and so the factors of nt. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/size.h"
#include "common/stats.h"
#include "common/text.h"
#include "mlp/op/product_terms.h"

/* Of three layers: the right outputs of the middle one, o[i][h]. */
static void middle(const struct product_update *u, double *o)
{
    const int n_x = u->p->size[0], n = u->p->size[1];
    for (int i = 0; i < u->m; i++)
        for (int h = 0; h < n; h++) {
            double z = product_before(u, 0, 0, h);
            for (int k = 0; k < n_x; k++)
                z += u->x[i * n_x + k] * product_before(u, 0, 1 + k, h);
            o[i * n + h] = z;
        }
}

/* The output j of sample i, by the first `terms` of its sum. */
static double last_output(const struct product_update *u, const double *o, int i, int j, int terms)
{
    const int n = u->p->size[1];
    double z = product_before(u, 1, 0, j);
    for (int h = 0; h < terms; h++)
        z += o[i * n + h] * product_before(u, 1, 1 + h, j);
    return z;
}

/* After how many terms all sums of product nn in the last layer stop, whose outputs came to y - d;
 * -1: it is not that. */
static int stops_after(const struct product_update *u, const double *o, const double *d)
{
    const int k = u->p->size[1], n = u->p->size[2];
    for (int terms = 0; terms < k; terms++) {
        bool all = true;
        for (int i = 0; i < u->m && all; i++)
            for (int j = 0; j < n && all; j++) {
                const double want = last_output(u, o, i, j, terms);
                all = fabs(u->y[i * n + j] - d[i * n + j] - want) <=
                      PRODUCT_NEAR * fmax(1, fabs(want));
            }
        if (all)
            return terms;
    }
    return -1;
}

/* Of three layers, whose last D came as d: whether the outputs that it says are wrong. */
static bool say_last_nn(const struct product_update *u, const double *o, const double *d)
{
    const int k = u->p->size[1], n = u->p->size[2];
    char both[TEXT_DIFFER];
    for (int i = 0; i < u->m; i++)
        for (int j = 0; j < n; j++) {
            const double got = u->y[i * n + j] - d[i * n + j], want = last_output(u, o, i, j, k);
            if (fabs(got - want) <= PRODUCT_NEAR * fmax(1, fabs(want)))
                continue;
            const int terms = stops_after(u, o, d);
            if (terms == n)
                snprintf(u->text, u->size,
                         "product nn is wrong where k > n: of k = %d terms and n = %d columns, "
                         "c[%d][%d] and all others stop after %d terms, which is n, not k",
                         k, n, i, j, terms);
            else if (terms >= 0)
                snprintf(u->text, u->size,
                         "product nn is wrong: of k = %d terms, c[%d][%d] and all others stop "
                         "after %d",
                         k, i, j, terms);
            else
                snprintf(
                    u->text, u->size,
                    "product nn is wrong (of k = %d terms and n = %d columns, c[%d][%d] is %s)", k,
                    n, i, j, text_differ(both, got, want, 4));
            return true;
        }
    return false;
}

static double nt_equation(const struct product_update *u, int sample, int p, double *row)
{
    for (int j = 0; j < u->p->size[2]; j++)
        row[j] = product_before(u, 1, 1 + p, j);
    return u->d[sample * u->p->size[1] + p];
}

/* What row i of e took of its sums, by columns. */
static bool nt_columns(const struct product_update *u, const double *last, int i)
{
    const int n = u->p->size[1], terms = u->p->size[2];
    double *got = hpc_malloc(hpc_mul(2 * (size_t)n, sizeof *got)), *want = got + n;
    char cell[40];
    for (int p = 0; p < n; p++) {
        got[p] = u->d[i * n + p];
        want[p] = 0;
        for (int j = 0; j < terms; j++)
            want[p] += last[i * terms + j] * product_before(u, 1, 1 + p, j);
    }
    snprintf(cell, sizeof cell, "e[%d][p]", i);
    const bool said = product_say_columns(u, "product nt", cell, n, got, want);
    free(got);
    return said;
}

/* Of the D of the last layer, right, as product nt got it. */
static bool say_nt_terms(const struct product_update *u, const double *last)
{
    const int n = u->p->size[2];
    double got[FIT_MAX], want[FIT_MAX];
    char sum[80];
    for (int i = 0; i < u->m; i++) {
        if (!product_factors(u, nt_equation, i, n, u->p->size[1], got))
            return nt_columns(u, last, i);
        for (int j = 0; j < n; j++)
            want[j] = last[i * n + j];
        snprintf(sum, sizeof sum, "e[%d][p] = sum of d[%d][j] * b[p][j], n = %d", i, i, n);
        if (product_say_terms(u, "product nt", sum, n, got, want))
            return true;
    }
    return false;
}

/* Of three layers: the way forward first, for what is wrong there makes a wrong D. */
bool product_say_last(const struct product_update *u, bool known)
{
    const size_t hidden = (size_t)u->p->size[1], n = (size_t)u->p->size[2], m = (size_t)u->m;
    double *o = hpc_calloc(m * (hidden + n), sizeof *o), *last = o + m * hidden;
    middle(u, o);
    const bool said = product_deltas(u, 1, o, last) &&
                      (say_last_nn(u, o, last) || (known && say_nt_terms(u, last)));
    free(o);
    return said;
}
