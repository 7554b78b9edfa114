/* Terms of sums by least squares, and the words for those that are wrong. */
#include "mlp/op/product_terms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/size.h"
#include "common/stats.h"
#include "common/text.h"

double product_before(const struct product_update *u, int l, int row, int j)
{
    return u->w0[mlp_offset(u->p, l) + (size_t)row * (size_t)u->p->size[l + 1] + (size_t)j];
}

double product_moved(const struct product_update *u, int l, int row, int j)
{
    const size_t at = mlp_offset(u->p, l) + (size_t)row * (size_t)u->p->size[l + 1] + (size_t)j;
    return (u->w[at] - u->w0[at]) / u->rate * u->m;
}

bool product_deltas(const struct product_update *u, int l, const double *a, double *d)
{
    const int k = u->p->size[l], n = u->p->size[l + 1];
    double row[FIT_MAX], column[FIT_MAX], left = 1;
    bool known = true;
    struct fit f;
    for (int j = 0; j < n && known; j++) {
        fit_open(&f, u->m);
        for (int r = 0; r <= k; r++) {
            for (int i = 0; i < u->m; i++)
                row[i] = r > 0 ? a[i * k + r - 1] : 1;
            fit_add(&f, row, product_moved(u, l, r, j));
        }
        known = fit_solve(&f, column, &left) && left < PRODUCT_NEAR;
        for (int i = 0; i < u->m && known; i++)
            d[i * n + j] = column[i];
        fit_close(&f);
    }
    return known;
}

bool product_wrong(double got, double want)
{
    return !(fabs(got - want) <= PRODUCT_NEAR * fmax(1, fabs(want)));
}

/* The first wrong factor, and how many are; -1: none. */
int product_first_wrong(int n, const double *got, const double *want, int *wrong)
{
    int first = -1;
    *wrong = 0;
    for (int i = n - 1; i >= 0; i--)
        if (product_wrong(got[i], want[i])) {
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
        if (fabs(want[i] - v) <= PRODUCT_NEAR * fmax(1, fabs(v))) {
            if (at >= 0)
                return -1;
            at = i;
        }
    return at;
}

/* What all factors are multiplied with; 0: no such number. */
static double all_times(int n, const double *got, const double *want)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (fabs(want[i]) > fabs(want[best]))
            best = i;
    const double times = got[best] / want[best];
    for (int i = 0; i < n; i++)
        if (product_wrong(got[i], times * want[i]))
            return 0;
    return fabs(times) < PRODUCT_NEAR ? 0 : times;
}

#define LISTED 8

/* "4 5 6 7 12 ..", the indices of wrong factors. */
void product_list_wrong(int n, const double *got, const double *want, char *text, size_t size)
{
    int listed = 0;
    text[0] = '\0';
    for (int i = 0; i < n && listed <= LISTED; i++)
        if (product_wrong(got[i], want[i]) && listed++ < LISTED)
            text_fit(text, size, "%s%s%d", text, *text ? " " : "", i);
    if (listed > LISTED)
        text_fit(text, size, "%s ..", text);
}

/* What explains one wrong factor, got for want[at]; as another one's only where `by_others`. */
static void explain(int n, const double *want, int at, double got, bool by_others, char *how,
                    size_t size)
{
    const int other = factor_of(n, want, got), more = factor_of(n, want, got - want[at]);
    const double times = got / want[at];
    how[0] = '\0';
    if (fabs(got) <= PRODUCT_NEAR)
        snprintf(how, size, "is left out");
    else if (fabs(times - round(times)) < PRODUCT_NEAR)
        snprintf(how, size, "counts %.0f times", times);
    else if (by_others && other >= 0)
        snprintf(how, size, "takes the first factor of term %d", other);
    else if (by_others && more >= 0)
        snprintf(how, size, "takes the first factor of term %d too", more);
}

/* What explains the first wrong factor, if something explains all. One of n others is near a
 * random number too often, unless that holds of several. */
static void explain_all(int n, const double *got, const double *want, int wrong, char *how,
                        size_t size)
{
    const bool by_others = pow(4 * PRODUCT_NEAR * n, wrong) < PRODUCT_CHANCE;
    char one[80];
    how[0] = '\0';
    for (int i = n - 1; i >= 0; i--) {
        if (!product_wrong(got[i], want[i]))
            continue;
        explain(n, want, i, got[i], by_others, one, sizeof one);
        snprintf(how, size, "%s", one);
        if (!*one)
            return;
    }
}

/* Where the terms that are left out are neighbours at one end of the sum: which count. */
static bool say_run(const struct product_update *u, const char *product, const char *sum, int n,
                    const double *got, const double *want)
{
    int first = -1, last = -1, wrong = 0;
    for (int i = 0; i < n; i++)
        if (product_wrong(got[i], want[i])) {
            first = first < 0 ? i : first;
            last = i;
            wrong++;
        }
    if (wrong < 2 || last - first + 1 != wrong || (first > 0 && last < n - 1))
        return false;
    snprintf(u->text, u->size,
             "%s is wrong: of %s, the %s %d terms are left out: terms %d to %d alone count%s",
             product, sum, first == 0 ? "first" : "last", wrong, first == 0 ? last + 1 : 0,
             first == 0 ? n - 1 : first - 1,
             first == 0 ? ", as if each block's sum took the place of that before it" : "");
    return true;
}

bool product_say_terms(const struct product_update *u, const char *product, const char *sum, int n,
                       const double *got, const double *want)
{
    int wrong;
    const int at = product_first_wrong(n, got, want, &wrong);
    if (at < 0)
        return false;
    char how[80], which[60];
    const double none[FIT_MAX] = {0};
    int zeros;
    product_list_wrong(n, got, want, which, sizeof which);
    const double every = wrong > 1 ? all_times(n, got, want) : 0;
    if (every != 0) {
        snprintf(u->text, u->size, "%s is wrong: %s, every term is taken %.4g times%s", product,
                 sum, every,
                 fabs(every * u->m - 1) < PRODUCT_NEAR ? ", one m-th: divided by the batch again"
                                                       : "");
        return true;
    }
    if (wrong == n && n > 1 && product_first_wrong(n, got, none, &zeros) < 0) {
        snprintf(
            u->text, u->size,
            "%s is wrong: of %s, none of the %d terms is there: is the sum an int, never added, "
            "or what is left over after whole groups of rows or columns?",
            product, sum, n);
        return true;
    }
    explain_all(n, got, want, wrong, how, sizeof how);
    if (strcmp(how, "is left out") == 0 && say_run(u, product, sum, n, got, want))
        return true;
    if (!*how)
        snprintf(how, sizeof how, "has %.4g for its first factor, should have %.4g", got[at],
                 want[at]);
    snprintf(u->text, u->size, "%s is wrong: of %s, term %d %s (%d of %d terms are wrong: %s)",
             product, sum, at, how, wrong, n, which);
    return true;
}

bool product_factors(const struct product_update *u, product_equation *one, int sample, int n,
                     int equations, double *c)
{
    struct fit f;
    double row[FIT_MAX], b, left = 1;
    fit_open(&f, n);
    for (int i = 0; i < equations; i++, fit_add(&f, row, b))
        b = one(u, sample, i, row);
    const bool known = fit_solve(&f, c, &left) && left < PRODUCT_NEAR;
    fit_close(&f);
    return known;
}

/* Whether column j of the first matrix is what some D adds to its old values; or, where these are
 * not kept, to zeros, but for the bias. */
static bool adds(const struct product_update *u, int j, bool kept)
{
    const int k = u->p->size[0];
    double row[FIT_MAX], d[FIT_MAX], left = 1;
    struct fit f;
    fit_open(&f, u->m);
    for (int r = 0; r <= k; r++) {
        for (int i = 0; i < u->m; i++)
            row[i] = r > 0 ? u->x[i * k + r - 1] : 1;
        const double before = r > 0 && !kept ? product_before(u, 0, r, j) / u->rate * u->m : 0;
        fit_add(&f, row, product_moved(u, 0, r, j) + before);
    }
    const bool fits = fit_solve(&f, d, &left) && left < PRODUCT_NEAR;
    fit_close(&f);
    return fits;
}

bool product_say_lost(const struct product_update *u)
{
    const int n = u->p->size[1];
    int first = -1, last = -1, columns = 0;
    for (int j = 0; j < n; j++) {
        if (adds(u, j, true))
            continue;
        if (!adds(u, j, false))
            return false;
        first = first < 0 ? j : first;
        last = j;
        columns++;
    }
    if (columns == 0 || columns == n || u->p->size[0] <= u->m)
        return false;
    snprintf(u->text, u->size,
             "product tn is wrong: in %d of %d columns, from %d to %d, b is overwritten, not added "
             "to, and its old values lost",
             columns, n, first, last);
    return true;
}

static bool is_still(const struct product_update *u, int row)
{
    for (int j = 0; j < u->p->size[1]; j++)
        if (product_moved(u, 0, 1 + row, j) != 0)
            return false;
    return true;
}

bool product_say_still(const struct product_update *u, int row)
{
    const int rows = u->p->size[0];
    int still = 0;
    char which[60] = "";
    for (int r = 0; r < rows; r++)
        if (is_still(u, r) && still++ < LISTED)
            text_fit(which, sizeof which, "%s %d", which, r);
    if (!is_still(u, row))
        return false;
    if (still == rows) {
        snprintf(u->text, u->size,
                 "product tn is wrong: it adds nothing to b, not one weight moves: is scale 0 "
                 "there, as a float is that an int takes, or does no loop add to b?");
        return true;
    }
    snprintf(u->text, u->size,
             "product tn is wrong: %d of %d rows of b get none of their terms, as if a loop left "
             "them out:%s%s; the others move",
             still, rows, which, still > LISTED ? " .." : "");
    return true;
}
