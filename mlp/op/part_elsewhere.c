/* Parts that are right but for where they read: a sample other numbers of x or y than its own, a
 * replica other samples than its shard's, a layer other weights than its matrix. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/size.h"
#include "common/text.h"
#include "mlp/activation.h"
#include "mlp/op/op.h"
#include "mlp/op/part.h"

#define MERGE_NEAR 1e-9 /* of a weight that the oracle comes to */

#define PLACES_WORK 2e8 /* weights that all tries update, at most */

/* Number j of sample s is at s * stride + j * step in an array. */
struct place {
    size_t stride, step;
};

/* Whether got is what comes of other inputs or targets, `rows` of them `width` numbers, with array
 * `which` read in those places; none of them is behind the array. */
static bool learnt_from(const struct mlp_problem *p, const double *const in[], const int32_t *order,
                        int which, struct place at, const double *got)
{
    const size_t rows = (size_t)p->samples, n = mlp_weights(p);
    const size_t width = (size_t)p->size[which == MLP_X ? 0 : p->n_layers - 1];
    const double *other[MLP_N_IN];
    if ((rows - 1) * at.stride + (width - 1) * at.step >= rows * width)
        return false;
    double *w = hpc_malloc(hpc_mul(n + rows * width, sizeof *w)), *read = w + n;
    for (size_t i = 0; i < rows * width; i++)
        read[i] = in[which][i / width * at.stride + i % width * at.step];
    for (int i = 0; i < MLP_N_IN; i++)
        other[i] = i == which ? read : in[i];
    mlp_emulate(p, other[MLP_X], other[MLP_Y], order, other[MLP_W0], other[MLP_RATES], w);
    bool same = true;
    for (size_t i = 0; i < n && same; i++)
        same = fabs(w[i] - got[i]) <= MERGE_NEAR * fmax(1, fabs(w[i]));
    free(w);
    return same;
}

bool part_places(const struct mlp_problem *p, const double *const in[], const int32_t *order,
                 const double *got, char *text, size_t size)
{
    static const char *const names[] = {[MLP_X] = "input j of sample s from in[MLP_X]",
                                        [MLP_Y] = "target j of sample s from in[MLP_Y]"};
    const size_t rows = (size_t)p->samples;
    const double steps = (double)p->epochs * p->samples * (double)mlp_weights(p);
    if (p->samples < 2 || p->networks != 1)
        return false;
    for (int which = MLP_X; which <= MLP_Y; which++) {
        const size_t width = (size_t)p->size[which == MLP_X ? 0 : p->n_layers - 1];
        const size_t most = 2 * width; /* strides to try, and as the last one columns for rows */
        for (size_t k = 0; k <= most && steps * (double)most <= PLACES_WORK; k++) {
            const struct place at = k < most ? (struct place){k, 1} : (struct place){1, rows};
            if ((at.stride == width && at.step == 1) || !learnt_from(p, in, order, which, at, got))
                continue;
            char from[80] = "[j], sample 0's in every step";
            if (at.step > 1)
                snprintf(from, sizeof from, "[%zu s + %zu j]", at.stride, at.step);
            else if (at.stride > 0)
                snprintf(from, sizeof from, "[%zu s + j]", at.stride);
            snprintf(text, size, "equals training with %s%s, where [%zu s + j] belongs: rows of %s",
                     names[which], from, width, which == MLP_X ? "size[0]" : "size[n_layers - 1]");
            return true;
        }
    }
    return false;
}

/* ---- shards -----------------------------------------------------------------------------------
 */

#define MOST_SHARDS   3  /* replicas whose shards are looked for */
#define SHARD_SAMPLES 10 /* of which they are parts, at most */
#define RANGES        (SHARD_SAMPLES * (SHARD_SAMPLES + 1) / 2)

struct range {
    int first, last;
};

/* Training on a part of each epoch's order. */
static void train_range(const struct mlp_problem *p, struct range part, const double *const in[],
                        const int32_t *order, double *w)
{
    struct mlp_problem one = *p;
    int32_t *rows = hpc_calloc((size_t)p->permutations * (size_t)p->samples + 1, sizeof *rows);
    one.replicas = 1;
    one.samples = part.last - part.first;
    for (int e = 0; e < p->permutations; e++)
        memcpy(rows + e * one.samples, order + e * p->samples + part.first,
               (size_t)one.samples * sizeof *rows);
    mlp_emulate(&one, in[MLP_X], in[MLP_Y], rows, in[MLP_W0], in[MLP_RATES], w);
    free(rows);
}

/* Whether got is the mean of the weights that these ranges lead to. */
static bool mean_of(int replicas, size_t n, const double *w, const int *range, const double *got)
{
    for (size_t i = 0; i < n; i++) {
        double mean = 0;
        for (int r = 0; r < replicas; r++)
            mean += w[(size_t)range[r] * n + i] / replicas;
        if (!(fabs(mean - got[i]) <= MERGE_NEAR * fmax(1, fabs(mean))))
            return false;
    }
    return true;
}

/* The first ranges of all replicas that lead to got, of replica r from number own[r] on. */
static bool find_ranges(int replicas, int ranges, size_t n, const double *w, const int *own,
                        const double *got, int *range)
{
    long all = 1;
    for (int r = 0; r < replicas; r++)
        all *= ranges;
    for (long number = 0; number < all; number++) {
        long left = number;
        for (int r = replicas - 1; r >= 0; r--, left /= ranges)
            range[r] = (int)((own[r] + left % ranges) % ranges);
        if (mean_of(replicas, n, w, range, got))
            return number > 0;
    }
    return false;
}

bool part_shards(const struct mlp_problem *p, const double *const in[], const int32_t *order,
                 const double *got, char *text, size_t size)
{
    const size_t n = mlp_weights(p);
    struct range all[RANGES];
    int ranges = 0, own[MOST_SHARDS] = {0}, found[MOST_SHARDS];
    char is[80] = "", should[80] = "";
    if (p->replicas < 2 || p->replicas > MOST_SHARDS || p->samples < p->replicas ||
        p->samples > SHARD_SAMPLES || p->epochs < 1 || p->epochs > p->merge_every ||
        p->permutations < 1)
        return false;
    double *w = hpc_malloc(hpc_mul(RANGES * n, sizeof *w));
    for (int first = 0; first < p->samples; first++)
        for (int last = first + 1; last <= p->samples; last++) {
            all[ranges] = (struct range){first, last};
            train_range(p, all[ranges], in, order, w + (size_t)ranges * n);
            for (int r = 0; r < p->replicas; r++) {
                struct range right;
                mlp_shard(p, r, &right.first, &right.last);
                own[r] = right.first == first && right.last == last ? ranges : own[r];
            }
            ranges++;
        }
    const bool known = find_ranges(p->replicas, ranges, n, w, own, got, found);
    free(w);
    for (int r = 0; r < p->replicas && known; r++) {
        const char *between = r == 0 ? "" : ", ";
        text_fit(is, sizeof is, "%s%s%d to %d", is, between, all[found[r]].first,
                 all[found[r]].last - 1);
        text_fit(should, sizeof should, "%s%s%d to %d", should, between, all[own[r]].first,
                 all[own[r]].last - 1);
    }
    return known && text_fit(text, size,
                             "equals replicas that train on positions %s of the order, where their "
                             "shards are %s",
                             is, should);
}

/* ---- a matrix ---------------------------------------------------------------------------------
 */

/* Unit k of layer l + 1, or the error of unit k of layer l, by weights from number `at` on. */
static double unit_of(const struct part_update *u, int l, bool delta, size_t at, int k)
{
    const int m = u->p->size[l], n = u->p->size[l + 1];
    const double *w = u->w0 + at, *x = u->o + mlp_unit(u->p, l);
    double sum = delta ? 0 : w[k];
    for (int i = 0; delta && i < n; i++)
        sum += part_cell(u, u->want, l, 0, i) * w[(1 + k) * n + i];
    for (int i = 0; !delta && i < m; i++)
        sum += x[i] * w[(1 + i) * n + k];
    return sum;
}

#define BY_CHANCE 1e-3 /* numbers of weights that fit and say nothing, at most */

/* How many of `tries` random layers would come that near to got: numbers near 0 say little, and of
 * softmax's the last follows from the others. */
static double fit_by_chance(double tries, enum mlp_activation activation, int n, const double *got,
                            double near)
{
    double strongest = 1;
    for (int k = 0; k < n; k++) {
        const double one = fmin(1, 4 * near / fmin(1, fmax(near, fabs(got[k]))));
        tries *= one;
        strongest = fmin(strongest, one);
    }
    return activation == MLP_SOFTMAX ? tries / strongest : tries;
}

void part_say_matrix(const struct part_update *u, int l, bool delta, const double *got, double near,
                     char *how, size_t size)
{
    const struct mlp_problem *p = u->p;
    const int layer = delta ? l : l + 1, n = p->size[layer];
    const size_t right = mlp_offset(p, l), last = mlp_weights(p) - mlp_matrix(p, l);
    double *v = hpc_calloc(2 * (size_t)n, sizeof *v), *o = v + n;
    bool said = fit_by_chance((double)last + 1, p->activation[layer], n, got, near) > BY_CHANCE;
    for (size_t at = 0; at <= last && !said; at++) {
        for (int k = 0; k < n; k++)
            v[k] = unit_of(u, l, delta, at, k);
        if (delta)
            mlp_derivative(p->activation[layer], n, u->o + mlp_unit(p, layer), v);
        else
            mlp_activate(p->activation[layer], n, v);
        if (layer == p->n_layers - 1) { /* of which D tells */
            memcpy(o, v, (size_t)n * sizeof *o);
            for (int k = 0; k < n; k++)
                v[k] = u->y[k] - o[k];
            mlp_derivative(p->activation[layer], n, o, v);
        }
        said = at != right;
        for (int k = 0; k < n && said; k++)
            said = fabs(v[k] - got[k]) <= near * fmax(1, fabs(v[k]));
        if (said)
            snprintf(how, size,
                     "they come of the weights from number %zu on, where this matrix begins at %zu",
                     at, right);
    }
    free(v);
}
