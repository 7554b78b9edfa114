/* What the rows of a matrix were updated with, where all deltas are right; what a softmax's
 * sum was taken for. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/size.h"
#include "common/text.h"
#include "mlp/activation.h"
#include "mlp/op/op.h"
#include "mlp/op/part.h"

static bool near(const struct part_update *u, int l, double got, double want)
{
    return fabs(got - want) <= 10 * u->near * part_scale(u, l) * fmax(1, fabs(want));
}

/* ": the old weight is taken 0.9 times", where that explains all rows. */
static bool say_old(const struct part_update *u, int l, char *how, size_t size)
{
    const struct mlp_problem *p = u->p;
    const size_t columns = (size_t)p->size[l + 1], cells = (size_t)p->size[l] * columns;
    const size_t at = mlp_offset(p, l) + columns;
    const double *was = u->w0 + at, *got = u->got + at, *want = u->want + at;
    size_t most = 0;
    for (size_t i = 1; i < cells; i++)
        most = fabs(was[i]) > fabs(was[most]) ? i : most;
    const double share = 1 + u->rate * (got[most] - want[most]) / was[most];
    for (size_t i = 0; i < cells; i++)
        if (!near(u, l, got[i], want[i] + (share - 1) * was[i] / u->rate))
            return false;
    if (cells < 3 || fabs(share - 1) < 1e-3)
        return false;
    if (fabs(share) < 1e-3)
        snprintf(how, size, ": the old weight is lost: = stands where += belongs");
    else
        snprintf(how, size, ": the old weight is taken %.4g times%s", share,
                 fabs(share - u->rate / p->samples) < 1e-3
                     ? ", by the scale, which belongs to the sum alone"
                     : ", where it is kept as it is");
    return true;
}

/* Where some columns are wrong and others right: which, and of which others they have the update.
 */
static void say_columns(const struct part_update *u, int l, char *how, size_t size)
{
    const int n = u->p->size[l + 1], rows = u->p->size[l];
    int first = -1, last = -1, wrong = 0;
    for (int k = 0; k < n; k++)
        for (int row = 1; row <= rows; row++)
            if (!near(u, l, part_cell(u, u->got, l, row, k), part_cell(u, u->want, l, row, k))) {
                first = first < 0 ? k : first;
                last = k;
                wrong++;
                break;
            }
    if (wrong == 0 || wrong == n || last - first + 1 != wrong)
        return;
    bool moved = first >= wrong;
    for (int k = first; k <= last && moved; k++)
        for (int row = 1; row <= rows && moved; row++)
            moved = near(u, l, part_cell(u, u->got, l, row, k),
                         part_cell(u, u->want, l, row, k - first));
    char which[40] = "", others[40] = "";
    snprintf(which, sizeof which, wrong > 1 ? "s %d to %d" : " %d", first, last);
    snprintf(others, sizeof others, wrong > 1 ? "s 0 to %d" : " 0", wrong - 1);
    snprintf(how, size, ": of %d columns it is column%s, all others are right", n, which);
    if (moved && wrong * rows > 2)
        text_fit(how, size, "%s; what they get belongs to column%s", how, others);
}

/* Of one sample: what row i was updated with beside D[k], for all i, to v; false where that is no
 * number a row. */
static bool row_values(const struct part_update *u, int l, double *v)
{
    int best = 0;
    for (int k = 1; k < u->p->size[l + 1]; k++)
        if (fabs(part_cell(u, u->want, l, 0, k)) > fabs(part_cell(u, u->want, l, 0, best)))
            best = k;
    for (int i = 0; i < u->p->size[l]; i++) {
        v[i] = part_cell(u, u->got, l, 1 + i, best) / part_cell(u, u->want, l, 0, best);
        for (int k = 0; k < u->p->size[l + 1]; k++)
            if (!near(u, l, part_cell(u, u->got, l, 1 + i, k),
                      v[i] * part_cell(u, u->want, l, 0, k)))
                return false;
    }
    return true;
}

/* The same of columns: what column k was updated with beside o[i]. */
static bool column_values(const struct part_update *u, int l, double *v)
{
    const double *o = u->o + mlp_unit(u->p, l);
    int best = 0;
    for (int i = 1; i < u->p->size[l]; i++)
        if (fabs(o[i]) > fabs(o[best]))
            best = i;
    for (int k = 0; k < u->p->size[l + 1]; k++) {
        v[k] = part_cell(u, u->got, l, 1 + best, k) / o[best];
        for (int i = 0; i < u->p->size[l]; i++)
            if (!near(u, l, part_cell(u, u->got, l, 1 + i, k), v[k] * o[i]))
                return false;
    }
    return true;
}

/* Whether v[i] is like[i + shift] for all i that have one, two at the least. */
static bool shifted(const struct part_update *u, int n, const double *v, const double *like,
                    int shift)
{
    int alike = 0;
    for (int i = 0; i < n; i++) {
        if (i + shift < 0 || i + shift >= n)
            continue;
        if (!(fabs(v[i] - like[i + shift]) <= 100 * u->near * fmax(1, fabs(v[i]))))
            return false;
        alike++;
    }
    return alike >= 2;
}

/* What stands for the outputs o of layer l, by what the rows were updated with. */
static const char *other_output(const struct part_update *u, int l, const double *v)
{
    const struct mlp_problem *p = u->p;
    const int n = p->size[l], below = l > 0 ? p->size[l - 1] : 0;
    const int kind = p->activation[l]; /* of inputs none */
    const double *o = u->o + mlp_unit(p, l);
    double *like = hpc_calloc(3 * (size_t)n, sizeof *like), *z = like + n, *slope = z + n;
    for (int i = 0; i < n; i++) {
        like[i] = o[i] * o[i];
        slope[i] = 1;
        z[i] = l > 0 ? part_cell(u, u->w0, l - 1, 0, i) : 0;
        for (int h = 0; h < below; h++)
            z[i] += u->o[mlp_unit(p, l - 1) + h] * part_cell(u, u->w0, l - 1, 1 + h, i);
    }
    if (l > 0 && kind != MLP_SOFTMAX)
        mlp_derivative(kind, n, o, slope);
    const char *words =
        shifted(u, n, v, o, 1)    ? ": o[i + 1] stands where o[i] of the row's unit belongs (row 0 "
                                    "is the bias, row 1 + i unit i's)"
        : shifted(u, n, v, o, -1) ? ": o[i - 1] stands where o[i] of the row's unit belongs (row 0 "
                                    "is the bias, row 1 + i unit i's)"
        : shifted(u, n, v, like, 0)           ? ": o[i] counts twice, as o[i] * o[i]"
        : l > 0 && shifted(u, n, v, slope, 0) ? ": the activation's derivative stands where its "
                                                "output o[i] belongs"
        : l > 0 && shifted(u, n, v, z, 0)     ? ": what goes into the activation stands where its "
                                                "output o[i] belongs"
                                              : NULL;
    free(like);
    return words;
}

/* What stands for the D of the layer behind, by what the columns were updated with. */
static const char *other_delta(const struct part_update *u, int l, const double *v)
{
    const int n = u->p->size[l + 1];
    double *d = hpc_calloc(2 * (size_t)n, sizeof *d), *first = d + n;
    for (int k = 0; k < n; k++) {
        d[k] = part_cell(u, u->want, l, 0, k);
        first[k] = part_cell(u, u->want, l, 0, 0);
    }
    const char *words = shifted(u, n, v, first, 0)
                            ? ": D[0] stands where D[k] of the column belongs"
                        : shifted(u, n, v, d, 1)  ? ": D[k + 1] stands where D[k] belongs"
                        : shifted(u, n, v, d, -1) ? ": D[k - 1] stands where D[k] belongs"
                                                  : NULL;
    free(d);
    return words;
}

/* Of one sample: whether row i goes with the outputs of units k, of its columns, not of unit i. */
static bool by_columns(const struct part_update *u, int l)
{
    const struct mlp_problem *p = u->p;
    if (p->size[l] < 2)
        return false;
    for (int row = 1; row <= p->size[l]; row++)
        for (int k = 0; k < p->size[l + 1] && k < p->size[l]; k++) {
            const double d = part_cell(u, u->want, l, 0, k);
            if (!near(u, l, part_cell(u, u->got, l, row, k), d * u->o[mlp_unit(p, l) + k]))
                return false;
        }
    return true;
}

/* What explains all rows of a matrix; "" where nothing does. */
static const char *cause(const struct part_update *u, int l)
{
    const size_t n = (size_t)u->p->size[l], columns = (size_t)u->p->size[l + 1];
    const char *words = NULL;
    if (u->p->samples > 1)
        return "";
    if (by_columns(u, l))
        return ": o[k] of the column stands where o[i] of the row belongs";
    double *v = hpc_calloc(n + columns, sizeof *v);
    if (row_values(u, l, v))
        words = other_output(u, l, v);
    else if (column_values(u, l, v))
        words = other_delta(u, l, v);
    free(v);
    return words ? words : "";
}

static void say_weights(const struct part_update *u, int l, int row)
{
    const struct mlp_problem *p = u->p;
    const int k = part_wrong_in_row(u, l, row);
    const double f = part_factor(u, l, 1, p->size[l]);
    char from[60], to[60], how[160] = "", both[TEXT_DIFFER];
    part_say_factor(u, f, how, sizeof how);
    if (!*how && !say_old(u, l, how, sizeof how))
        snprintf(how, sizeof how, "%s", cause(u, l));
    if (!*how)
        say_columns(u, l, how, sizeof how);
    snprintf(u->text, u->size,
             "the update%s of the weights from %s to %s is wrong%s (row of unit %d: %s); all "
             "deltas and the biases are right",
             part_product(u, " (product tn)"), part_layer(p, l, from, sizeof from),
             part_layer(p, l + 1, to, sizeof to), how, row - 1,
             text_differ(both, u->rate * part_cell(u, u->got, l, row, k),
                         u->rate * part_cell(u, u->want, l, row, k), 4));
}

bool part_say_weights(const struct part_update *u)
{
    for (int l = u->p->n_layers - 2; l >= 0; l--)
        for (int row = 1; row <= u->p->size[l]; row++)
            if (part_wrong_in_row(u, l, row) >= 0) {
                say_weights(u, l, row);
                return true;
            }
    return false;
}

static bool say_groups(int n, const double *got, double near, char *how, size_t size)
{
    for (int group = 2; group < n; group++) {
        double sum = 0;
        int first = 0;
        for (int i = 0; i < n; i++) {
            sum += got[i];
            if (i + 1 < n && (i + 1) % group != 0)
                continue;
            if (!(fabs(sum - 1) <= near * n))
                break;
            sum = 0;
            first = i + 1;
        }
        if (first < n)
            continue;
        snprintf(how, size,
                 "each %d units have a softmax of their own, whose sum is 1: it is that of the "
                 "whole layer",
                 group);
        return true;
    }
    return false;
}

/* Of outputs that are all one number of times what they should be: which term of the sum that they
 * are divided by counts otherwise than once. */
static void say_sum(int n, const double *got, const double *want, double near, char *how,
                    size_t size)
{
    const double times = got[0] / want[0], more = 1 / times - 1; /* of the whole sum */
    int unit = -1, fit = 0;
    for (int i = 0; i < n; i++) {
        if (!(fabs(got[i] - times * want[i]) <= near))
            return;
        if (fabs(fabs(more) - want[i]) <= near * (2 + fabs(more))) {
            unit = i;
            fit++;
        }
    }
    if (!(fabs(times - 1) > 10 * near))
        return;
    if (fit == 1)
        snprintf(how, size,
                 "they add up to %.4g, not 1: in the sum that they are divided by the exp of unit "
                 "%d %s",
                 times, unit, more > 0 ? "counts twice" : "is left out");
    else
        snprintf(how, size, "they add up to %.4g, not 1: the sum that they are divided by is wrong",
                 times);
}

void part_say_softmax(int n, const double *got, const double *want, double near, char *how,
                      size_t size)
{
    if (!say_groups(n, got, near, how, size) && n > 1)
        say_sum(n, got, want, near, how, size);
}
