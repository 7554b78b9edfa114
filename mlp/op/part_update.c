/* Which update is wrong where all deltas are right, and which merge where all replicas are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/size.h"
#include "common/stats.h"
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

/* What all cells of `rows` rows of a matrix, from row `first` on, are multiplied with; 0: no
 * factor.
 */
static double factor(const struct part_update *u, int l, int first, int rows)
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

/* ": all are taken 0.5 times", and what that may be. */
static void say_factor(const struct part_update *u, double f, char *how, size_t size)
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
    int first = -1, last = -1, wrong = 0;
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
    }
    if (wrong > 0 && wrong < n)
        snprintf(how, size,
                 "%d of %d units, from %d to %d, have an error that nobody multiplied with the "
                 "activation's derivative",
                 wrong, n, first, last);
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

static void say_weights(const struct part_update *u, int l, int row)
{
    const struct mlp_problem *p = u->p;
    const int k = part_wrong_in_row(u, l, row);
    const double f = factor(u, l, 1, p->size[l]);
    char from[60], to[60], how[120] = "";
    say_factor(u, f, how, sizeof how);
    snprintf(
        u->text, u->size,
        "the update%s of the weights from %s to %s is wrong%s (row of unit %d: %.4g, should be "
        "%.4g); all deltas and the biases are right",
        part_product(u, " (product tn)"), part_layer(p, l, from, sizeof from),
        part_layer(p, l + 1, to, sizeof to), how, row - 1,
        u->rate * part_cell(u, u->got, l, row, k), u->rate * part_cell(u, u->want, l, row, k));
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
    char name[60], how[120] = "";
    int l = p->n_layers - 2;
    while (l >= 0 && part_wrong_in_row(u, l, 0) < 0)
        l--;
    if (l < 0 || !weights_right(u))
        return false;
    const int k = part_wrong_in_row(u, l, 0);
    const double f = factor(u, l, 0, 1);
    const int unit = f == 1 || f == 0 ? -1 : output_like(u, l, f);
    say_factor(u, f, how, sizeof how);
    if (unit >= 0)
        text_fit(how, sizeof how, "%s, unit %d's output, which goes with that unit's weights", how,
                 unit);
    snprintf(
        u->text, u->size,
        "the update of the biases of %s is wrong%s (row 0, unit %d: %.4g, should be %.4g); all "
        "weights, and so all deltas, are right",
        part_layer(p, l + 1, name, sizeof name), how, k, u->rate * part_cell(u, u->got, l, 0, k),
        u->rate * part_cell(u, u->want, l, 0, k));
    return true;
}

#define PARTS      840  /* of a weight: halves, thirds .. eighths */
#define MERGE_NEAR 1e-9 /* of a weight that the oracle comes to */

void part_replica(const struct mlp_problem *p, int r, const double *const in[],
                  const int32_t *order, double *w)
{
    struct mlp_problem one = *p;
    int first, last;
    mlp_shard(p, r, &first, &last);
    one.replicas = 1;
    one.samples = last - first;
    int32_t *rows =
        hpc_malloc(hpc_mul((size_t)p->permutations * (size_t)(one.samples + 1), sizeof *rows));
    for (int e = 0; e < p->permutations; e++)
        memcpy(rows + (size_t)e * (size_t)one.samples,
               order + (size_t)e * (size_t)p->samples + first, (size_t)one.samples * sizeof *rows);
    mlp_emulate(&one, in[MLP_X], in[MLP_Y], rows, in[MLP_W0], in[MLP_RATES], w);
    free(rows);
}

/* How much of each replica's weights got has; false where it is no sum of them. */
static bool shares(size_t n, int replicas, const double *w, const double *got, double *share)
{
    struct fit f;
    double row[FIT_MAX], left = 1;
    fit_open(&f, replicas);
    for (size_t i = 0; i < n; i++) {
        for (int r = 0; r < replicas; r++)
            row[r] = w[(size_t)r * n + i];
        fit_add(&f, row, got[i]);
    }
    const bool known = fit_solve(&f, share, &left) && left < 1e-6;
    fit_close(&f);
    return known;
}

/* Where got has the mean of all replicas but for some weights, which replica 0 left there: which.
 */
static bool say_unmerged(const struct mlp_problem *p, const double *w, const double *got,
                         char *text, size_t size)
{
    const size_t n = mlp_weights(p);
    size_t first = n, last = 0, off = 0;
    for (size_t i = 0; i < n; i++) {
        double mean = 0;
        for (int r = 0; r < p->replicas; r++)
            mean += w[(size_t)r * n + i] / p->replicas;
        if (fabs(got[i] - mean) <= MERGE_NEAR * fmax(1, fabs(mean)))
            continue;
        if (!(fabs(got[i] - w[i]) <= MERGE_NEAR * fmax(1, fabs(w[i]))))
            return false;
        first = off++ ? first : i;
        last = i;
    }
    if (off == 0 || off == n)
        return false;
    snprintf(text, size,
             "the merge leaves out %zu of %zu weights, from %zu to %zu: they stay replica 0's, all "
             "others are the mean",
             off, n, first, last);
    return true;
}

bool part_merge(const struct mlp_problem *p, const double *const in[], const int32_t *order,
                const double *got, char *text, size_t size)
{
    const size_t n = mlp_weights(p);
    const int replicas = p->replicas;
    double share[FIT_MAX], *w;
    char list[120] = "";
    if (p->networks != 1 || replicas < 2 || replicas > 8 || p->epochs < 1 ||
        p->epochs > p->merge_every || p->samples + 1 < replicas || n < 2 * (size_t)replicas)
        return false;
    w = hpc_malloc(hpc_mul((size_t)replicas * n, sizeof *w));
    for (int r = 0; r < replicas; r++)
        part_replica(p, r, in, order, w + (size_t)r * n);
    bool known = shares(n, replicas, w, got, share), off = false, none = false;
    const bool said = !known && say_unmerged(p, w, got, text, size);
    free(w);
    if (said)
        return true;
    for (int r = 0; r < replicas; r++) {
        off |= fabs(share[r] * replicas - 1) > 1e-4;
        none |= fabs(share[r]) < 1e-9;
        /* What no merge gives: the replicas are not what it was made of. */
        known = known && fabs(share[r] * PARTS - round(share[r] * PARTS)) < 1e-4 * PARTS;
        text_fit(list, sizeof list, "%s%s%.3g", list, r ? ", " : "",
                 fabs(share[r]) < 1e-9 ? 0 : share[r]);
    }
    if (!known || !off)
        return false;
    snprintf(text, size,
             "of the trained weights of replicas 0 to %d the result has %s, should have %.3g of "
             "each: %s",
             replicas - 1, list, 1.0 / replicas,
             none ? "the merge leaves replicas out, or they are not trained on shards of their own "
                    "(a thread gets more than one replica where there are fewer threads)"
                  : "the merge is wrong");
    return true;
}
