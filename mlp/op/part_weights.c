/* What the rows of a matrix were updated with, where all deltas are right. */
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

/* Whether the new weights hold the update alone. */
static bool replaced(const struct part_update *u, int l)
{
    for (int row = 1; row <= u->p->size[l]; row++)
        for (int k = 0; k < u->p->size[l + 1]; k++) {
            const double was = part_cell(u, u->w0, l, row, k) / u->rate;
            if (!near(u, l, part_cell(u, u->got, l, row, k) + was,
                      part_cell(u, u->want, l, row, k)))
                return false;
        }
    return true;
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
    if (replaced(u, l))
        return ": the old weight is lost: = stands where += belongs";
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
    if (!*how)
        snprintf(how, sizeof how, "%s", cause(u, l));
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
