/* Which update is wrong where all deltas are right. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "mlp/op/op.h"
#include "mlp/op/part.h"

double part_cell(const struct part_update *u, const double *g, int l, int row, int k)
{
    return g[mlp_offset(u->p, l) + (size_t)row * (size_t)u->p->size[l + 1] + (size_t)k];
}

double part_scale(const struct part_update *u, int l)
{
    double most = 1e-30;
    for (int k = 0; k < u->p->size[l + 1]; k++)
        most = fmax(most, fabs(part_cell(u, u->want, l, 0, k)));
    return most;
}

static bool cell_right(const struct part_update *u, int l, int row, int k)
{
    return fabs(part_cell(u, u->got, l, row, k) - part_cell(u, u->want, l, row, k)) <=
           u->near * part_scale(u, l);
}

int part_wrong_in_row(const struct part_update *u, int l, int row)
{
    for (int k = 0; k < u->p->size[l + 1]; k++)
        if (!cell_right(u, l, row, k))
            return k;
    return -1;
}

const char *part_layer(const struct mlp_problem *p, int l, char *text, size_t size)
{
    static const char *const names[] = {"", "identity", "sigmoid", "tanh", "relu", "softmax"};
    if (l == 0)
        snprintf(text, size, "the input");
    else if (l == p->n_layers - 1)
        snprintf(text, size, "the output layer (%s)", names[p->activation[l]]);
    else
        snprintf(text, size, "hidden %d (%s)", l, names[p->activation[l]]);
    return text;
}

const char *part_product(const struct part_update *u, const char *named)
{
    return u->p->batch > 0 ? named : "";
}

double part_factor(const struct part_update *u, int l, int first, int rows)
{
    const int n = u->p->size[l + 1];
    const size_t at = mlp_offset(u->p, l) + (size_t)first * (size_t)n;
    const double *got = u->got + at, *want = u->want + at;
    const int cells = rows * n;
    int best = 0;
    for (int i = 1; i < cells; i++)
        if (fabs(want[i]) > fabs(want[best]))
            best = i;
    const double f = got[best] / want[best];
    for (int i = 0; i < cells; i++)
        if (!(fabs(got[i] - f * want[i]) <= 10 * u->near * part_scale(u, l) * fmax(1, fabs(f))))
            return 0;
    return f;
}

void part_say_factor(const struct part_update *u, double f, char *how, size_t size)
{
    const double samples = u->p->samples;
    if (f != 0)
        snprintf(how, size, ": all are taken %.4g times%s", f,
                 fabs(f * u->rate - 1) < 1e-3   ? ", that is without the rate"
                 : fabs(f / u->rate - 1) < 1e-3 ? ", that is with the rate twice"
                 : samples > 1 && fabs(f / samples - 1) < 1e-3
                     ? ": the sum over the batch, not its mean"
                 : fabs(f + 1) < 1e-3 ? ": the sign"
                                      : "");
}

void part_say_errors(const struct part_update *u, int l, char *how, size_t size)
{
    const int n = u->p->size[l + 1], behind = u->p->size[l + 2];
    const double *o = u->o + mlp_unit(u->p, l + 1);
    int first = -1, last = -1, wrong = 0, still = 0;
    for (int k = 0; k < n; k++) {
        double error = 0;
        if (cell_right(u, l, 0, k))
            continue;
        for (int j = 0; j < behind; j++)
            error += part_cell(u, u->want, l + 1, 0, j) * part_cell(u, u->w0, l + 1, 1 + k, j);
        if (!(fabs(part_cell(u, u->got, l, 0, k) - error) <= 10 * u->near * part_scale(u, l)))
            return;
        first = first < 0 ? k : first;
        last = k;
        wrong++;
        still += o[k] == 0;
    }
    if (wrong > 0 && still == wrong && u->p->activation[l + 1] == MLP_RELU) {
        snprintf(how, size,
                 "%d of %d units have an output of 0, and relu's derivative is 1 there, as by "
                 "o >= 0 (unit %d): it is 0, o > 0 tells",
                 wrong, n, first);
        return;
    }
    if (wrong > 0 && wrong < n)
        snprintf(how, size,
                 "%d of %d units, from %d to %d, have an error that nobody multiplied with the "
                 "activation's derivative",
                 wrong, n, first, last);
}

void part_say_zeros(int n, const double *got, const double *want, double near, char *how,
                    size_t size)
{
    int first = -1, last = -1, zeros = 0;
    for (int i = 0; i < n; i++)
        if (!(fabs(got[i] - want[i]) <= near * fmax(1, fabs(want[i])))) {
            if (!(fabs(got[i]) <= near))
                return;
            first = first < 0 ? i : first;
            last = i;
            zeros++;
        }
    if (zeros == n)
        snprintf(how, size, "all are 0, as if nobody computed them");
    else if (zeros > 0)
        snprintf(how, size, "%d of %d, from unit %d to %d, are 0, as if nobody computed them",
                 zeros, n, first, last);
}

void part_say_units(const struct part_update *u, int l, char *how, size_t size)
{
    const int n = u->p->size[l + 1];
    int first = -1, last = -1, wrong = 0;
    for (int k = 0; k < n; k++)
        if (!cell_right(u, l, 0, k)) {
            first = first < 0 ? k : first;
            last = k;
            wrong++;
        }
    if (*how)
        return;
    if (wrong == 1 && n > 1)
        snprintf(how, size, "of %d units unit %d alone", n, first);
    else if (wrong < n)
        snprintf(how, size, "%d of %d units, from %d to %d, the others are right", wrong, n, first,
                 last);
}

/* Of one sample: the unit of layer l whose output the factor is; -1: none, or several. */
static int output_like(const struct part_update *u, int l, double f)
{
    int unit = -1;
    for (int i = 0; u->p->samples == 1 && i < u->p->size[l]; i++)
        if (fabs(u->o[mlp_unit(u->p, l) + i] - f) <= 100 * u->near) {
            if (unit >= 0)
                return -1;
            unit = i;
        }
    return unit;
}

/* What the other half of a double is as a float, by where floats are read from doubles. */
static double half_of(double v)
{
    float half;
    memcpy(&half, &v, sizeof half);
    return (double)half;
}

bool part_say_rate(const struct part_update *u)
{
    const struct mlp_problem *p = u->p;
    const double f = part_factor(u, 0, 0, p->size[0] + 1);
    if (f == 0 || fabs(f - 1) < 1e-3 || fabs(f + 1) < 1e-3)
        return false;
    for (int l = 1; l < p->n_layers - 1; l++)
        if (!(fabs(part_factor(u, l, 0, p->size[l] + 1) - f) <= 1e-6 * fabs(f)))
            return false;
    const double used = f * u->rate;
    const bool half = p->type == HPC_F64 && fabs(used - half_of(u->rate)) <= 1e-6 * fabs(used);
    if (p->size[p->n_layers - 1] < 2 && !half) /* then any wrong output makes one factor */
        return false;
    snprintf(u->text, u->size,
             "all updates are taken %.4g times: they are made with a rate of %.6g, should be "
             "%.6g%s",
             f, used, u->rate,
             half ? ": it is read as a float, where in[MLP_RATES] has doubles" : "");
    return true;
}

/* Whether all rows of weights are right, and move: then so are all deltas. */
static bool weights_right(const struct part_update *u)
{
    for (int l = 0; l < u->p->n_layers - 1; l++) {
        double most = 0;
        for (int row = 1; row <= u->p->size[l]; row++) {
            if (part_wrong_in_row(u, l, row) >= 0)
                return false;
            for (int k = 0; k < u->p->size[l + 1]; k++)
                most = fmax(most, fabs(part_cell(u, u->want, l, row, k)));
        }
        if (most < 100 * u->near * part_scale(u, l))
            return false;
    }
    return true;
}

bool part_say_biases(const struct part_update *u)
{
    const struct mlp_problem *p = u->p;
    char name[60], how[120] = "", zeros[100] = "", both[TEXT_DIFFER];
    int l = p->n_layers - 2, wrong = 0;
    for (int i = 0; i <= l; i++)
        wrong += part_wrong_in_row(u, i, 0) >= 0;
    const bool all = wrong > 1 && wrong == p->n_layers - 1;
    while (l >= 0 && part_wrong_in_row(u, l, 0) < 0)
        l--;
    if (l < 0 || !weights_right(u))
        return false;
    const int k = part_wrong_in_row(u, l, 0);
    const double f = part_factor(u, l, 0, 1);
    const int unit = f == 1 || f == 0 ? -1 : output_like(u, l, f);
    const size_t row = mlp_offset(p, l);
    part_say_factor(u, f, how, sizeof how);
    part_say_zeros(p->size[l + 1], u->got + row, u->want + row, u->near * part_scale(u, l), zeros,
                   sizeof zeros);
    if (*zeros)
        text_fit(how, sizeof how, ": %s", zeros);
    if (unit >= 0)
        text_fit(how, sizeof how, "%s, unit %d's output, which goes with that unit's weights", how,
                 unit);
    snprintf(u->text, u->size,
             "the update of the biases of %s is wrong%s (row 0, unit %d: %s); all "
             "weights, and so all deltas, are right",
             all ? "every layer" : part_layer(p, l + 1, name, sizeof name), how, k,
             text_differ(both, u->rate * part_cell(u, u->got, l, 0, k),
                         u->rate * part_cell(u, u->want, l, 0, k), 4));
    return true;
}

/* Whether row `row` of matrix l never moved, or all its rows where that is -1. */
static bool still(const struct part_update *u, int l, int row)
{
    const size_t n = (size_t)u->p->size[l + 1];
    const size_t at = mlp_offset(u->p, l) + (row < 0 ? 0 : (size_t)row * n);
    const size_t end = row < 0 ? mlp_offset(u->p, l + 1) : at + n;
    for (size_t i = at; i < end; i++)
        if (u->got[i] != 0)
            return false;
    return true;
}

bool part_say_still(const struct part_update *u)
{
    const struct mlp_problem *p = u->p;
    int first = -1, unmoved = 0;
    char from[60], to[60];
    for (int l = p->n_layers - 2; l >= 0; l--) {
        if (still(u, l, -1)) {
            first = l;
            unmoved++;
            continue;
        }
        for (int row = 0; row <= p->size[l]; row++)
            if (part_wrong_in_row(u, l, row) >= 0)
                return false;
    }
    if (unmoved == 0 || unmoved == p->n_layers - 1)
        return false;
    snprintf(u->text, u->size,
             "the weights from %s to %s never move, nor their biases (%d of %d matrices; all "
             "others are right): does the loop over the layers come to the %s one?",
             part_layer(p, first, from, sizeof from), part_layer(p, first + 1, to, sizeof to),
             unmoved, p->n_layers - 1, first == 0 ? "first" : "last");
    return true;
}

const char *part_divisor(const struct mlp_problem *p, const double *share)
{
    for (int r = 1; r < p->replicas; r++)
        if (fabs(share[r] - share[0]) > 1e-4)
            return "the merge is wrong";
    return fabs(share[0] - 1) < 1e-4 ? "the sum is not divided"
           : fabs(share[0] * p->merge_every - 1) < 1e-4
               ? "the sum is divided by merge_every, which says when to merge, not by replicas"
           : fabs(share[0] * p->samples - 1) < 1e-4
               ? "the sum is divided by the number of samples, not by replicas"
               : "the sum is divided by another number than replicas";
}
