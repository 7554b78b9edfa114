/* Of a net of three layers, without activations: which terms the products nn and nt take in the
 * last one, whose matrix has more rows than columns. What the update adds to it gives D of the
 * outputs, and so these; the first matrix gives D of the middle layer, and so the factors of nt.
 * And what some columns of a product alone have done to them: terms taken twice, old values lost.
 */
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

static double nt_term(const struct product_update *u, const double *last, int i, int j, int p)
{
    return last[i * u->p->size[2] + j] * product_before(u, 1, 1 + p, j);
}

/* What row i of e took of its sums, by columns. */
static bool nt_columns(const struct product_update *u, const double *last, int i)
{
    const int n = u->p->size[1];
    char cell[40];
    snprintf(cell, sizeof cell, "e[%d][p]", i);
    const struct product_row row = {"product nt", cell, i, n, u->p->size[2], nt_term, last, NULL};
    return product_say_columns(u, &row, u->d + i * n);
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

/* sum[j][t]: the first t terms of column j. */
static double *first_terms(const struct product_update *u, const struct product_row *r)
{
    const size_t each = (size_t)r->terms + 1;
    double *sum = hpc_calloc(hpc_mul((size_t)r->n, each), sizeof *sum);
    for (int j = 0; j < r->n; j++)
        for (int t = 0; t < r->terms; t++)
            sum[(size_t)j * each + t + 1] =
                sum[(size_t)j * each + t] + r->term(u, r->with, r->row, t, j);
    return sum;
}

/* Whether all wrong columns take the terms from *first to before *end once more, 1, or not at all,
 * -1; 0: neither. */
static int counted_terms(const struct product_update *u, const struct product_row *r,
                         const double *got, const double *want, int *first, int *end)
{
    const int terms = r->terms;
    int wrong = 0, found = 0;
    for (int j = 0; j < r->n; j++)
        wrong += product_wrong(got[j], want[j]);
    if (pow(4 * PRODUCT_NEAR, wrong) * terms * (terms + 1) > PRODUCT_CHANCE)
        return 0;
    double *sum = first_terms(u, r);
    for (int a = 0; a < terms && !found; a++)
        for (int b = a + 1; b <= terms && !found; b++)
            for (int sign = -1; sign <= 1 && !found; sign += 2) {
                bool all = b - a < terms;
                for (int j = 0; j < r->n && all; j++) {
                    const double *of = sum + (size_t)j * ((size_t)terms + 1);
                    all = !product_wrong(got[j], want[j]) ||
                          !product_wrong(got[j], want[j] + sign * (of[b] - of[a]));
                }
                if (all) {
                    *first = a;
                    *end = b;
                    found = sign;
                }
            }
    free(sum);
    return found;
}

/* "columns 31 to 66", where they are neighbours, else "columns 3 7 11". */
static void list_columns(int n, const double *got, const double *want, char *text, size_t size)
{
    int first = -1, last = -1, wrong = 0;
    for (int j = 0; j < n; j++)
        if (product_wrong(got[j], want[j])) {
            first = first < 0 ? j : first;
            last = j;
            wrong++;
        }
    if (wrong == 1)
        snprintf(text, size, "column %d", first);
    else if (last - first + 1 == wrong)
        snprintf(text, size, "columns %d to %d", first, last);
    else {
        char list[60];
        product_list_wrong(n, got, want, list, sizeof list);
        snprintf(text, size, "columns %s", list);
    }
}

/* Whether each column has its own sum and those of all columns before it. */
static bool runs_on(int n, const double *got, const double *want)
{
    double sum = 0;
    for (int j = 0; j < n; j++) {
        sum += want[j];
        if (product_wrong(got[j], sum))
            return false;
    }
    return n > 2;
}

/* What all wrong columns have in common, to how; "": nothing that is known. */
static void say_common(const struct product_update *u, const struct product_row *r,
                       const double *got, const double *want, char *how, size_t size)
{
    int largest = -1, begin, end;
    bool all = true, biased = r->bias != NULL;
    for (int j = 0; j < r->n; j++)
        if (product_wrong(got[j], want[j]) && (largest < 0 || fabs(want[j]) > fabs(want[largest])))
            largest = j;
    const double times = round(got[largest] / want[largest]);
    for (int j = 0; j < r->n; j++) {
        all &= !product_wrong(got[j], want[j]) || !product_wrong(got[j], times * want[j]);
        biased = biased &&
                 (!product_wrong(got[j], want[j]) || !product_wrong(got[j], want[j] - r->bias[j]));
    }
    const int counted = all || biased ? 0 : counted_terms(u, r, got, want, &begin, &end);
    if (all && times == 0)
        snprintf(how, size, "get none of their terms");
    else if (all)
        snprintf(how, size, "get every term %.0f times", times);
    else if (biased)
        snprintf(how, size, "are overwritten, not added to, and lose their bias");
    else if (counted)
        snprintf(how, size, "%s terms %d to %d of %d%s", counted > 0 ? "get" : "leave out", begin,
                 end - 1, r->terms, counted > 0 ? " twice" : "");
}

/* Of a row's columns `got` and `want`, as product_say_columns. */
static bool say_columns(const struct product_update *u, const struct product_row *r,
                        const double *got, const double *want)
{
    int wrong;
    const int n = r->n, first = product_first_wrong(n, got, want, &wrong);
    if (first < 0 || wrong == n)
        return false;
    if (runs_on(n, got, want)) {
        snprintf(u->text, u->size,
                 "%s is wrong: %s of a column goes on from that of the column before: its sum "
                 "is not set to 0 (%.4g in column %d, should be %.4g)",
                 r->product, r->cell, got[first], first, want[first]);
        return true;
    }
    char which[80], how[80] = "";
    list_columns(n, got, want, which, sizeof which);
    say_common(u, r, got, want, how, sizeof how);
    if (!*how)
        snprintf(how, sizeof how, "are wrong (%.4g in column %d, should be %.4g)", got[first],
                 first, want[first]);
    snprintf(u->text, u->size, "%s is wrong: of %s, %s of %d %s; all other columns are right",
             r->product, r->cell, which, n, how);
    return true;
}

bool product_say_columns(const struct product_update *u, const struct product_row *r,
                         const double *got)
{
    double *want = hpc_calloc((size_t)r->n, sizeof *want);
    for (int j = 0; j < r->n; j++)
        for (int t = 0; t < r->terms; t++)
            want[j] += r->term(u, r->with, r->row, t, j);
    const bool said = say_columns(u, r, got, want);
    free(want);
    return said;
}
