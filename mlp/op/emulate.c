/* The oracle of mlp_sgd: mlp.h in long double, a value at a time and each by its formula. Releases
 * hold it, so it is nobody's solution: no row of weights is walked along, all outputs and D are
 * worked out anew for each matrix that needs them, and the new weights are written beside the old
 * ones. It takes twenty times as long as mlp/flat. */
#include "mlp/op/emulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/size.h"
#include "mlp/op/op.h"

typedef long double real;

/* A net at one sample. */
struct net {
    const struct mlp_problem *p;
    enum mlp_mistake mistake;
    real *w, *next, *total; /* [mlp_weights]: now, what they become, what KEPT_TOTAL adds up */
    real *o, *e, *d, *kept; /* of all units: output, error, D, what KEPT_ERRORS adds up */
    const double *y;        /* the sample's targets */
};

/* Row 0 is the bias. */
static real *weight(const struct net *s, real *w, int l, int row, int k)
{
    const size_t rows = (size_t)s->p->size[l] + 1, columns = (size_t)s->p->size[l + 1];
    const size_t at = s->mistake == MLP_BIAS_LAST ? ((size_t)row + rows - 1) % rows : (size_t)row;
    return w + mlp_offset(s->p, l) +
           (s->mistake == MLP_BY_COLUMNS ? (size_t)k * rows + at : at * columns + (size_t)k);
}

static real *unit(const struct mlp_problem *p, real *values, int l, int k)
{
    return values + mlp_unit(p, l) + k;
}

/* The activation of layer l; of the layer below where the mistake is `below`, or both. */
static int kind_of(const struct net *s, int l, enum mlp_mistake below)
{
    const bool off = s->mistake == MLP_ACTIVATION_BELOW || s->mistake == below;
    return s->p->activation[off ? l - 1 : l];
}

/* o[l][k], where o[l] still holds z. */
static real activation(const struct net *s, int l, int k)
{
    real z = *unit(s->p, s->o, l, k), sum = 0;
    switch (kind_of(s, l, MLP_OUTPUTS_BELOW)) {
    case MLP_SIGMOID:
        return 1 / (1 + expl(-z));
    case MLP_TANH:
        return tanhl(z);
    case MLP_RELU:
        return z > 0 ? z : 0;
    case MLP_SOFTMAX:
        for (int j = 0; j < s->p->size[l]; j++)
            sum += expl(*unit(s->p, s->o, l, j) - z);
        return 1 / sum;
    default: /* MLP_IDENTITY */
        return z;
    }
}

/* do[l][j] / dz[l][k], by the outputs. */
static real jacobian(const struct net *s, int l, int j, int k)
{
    const int kind = kind_of(s, l, MLP_ACTIVATION_BELOW);
    const real o_j = *unit(s->p, s->o, l, j), o_k = *unit(s->p, s->o, l, k);
    if (kind == MLP_SOFTMAX && s->mistake != MLP_DIAGONAL_SOFTMAX)
        return o_j * ((j == k) - o_k);
    if (j != k)
        return 0;
    if (kind == MLP_SIGMOID || kind == MLP_SOFTMAX)
        return o_k * (1 - o_k);
    if (kind == MLP_TANH)
        return 1 - o_k * o_k;
    return kind == MLP_RELU ? o_k > 0 : 1;
}

/* o of all layers, from the inputs x; e is room for a layer. */
static void outputs(const struct net *s, const double *x)
{
    const struct mlp_problem *p = s->p;
    for (int k = 0; k < p->size[0]; k++)
        *unit(p, s->o, 0, k) = x[k];
    for (int l = 1; l < p->n_layers; l++) {
        for (int k = 0; k < p->size[l]; k++) {
            real z = *weight(s, s->w, l - 1, 0, k);
            if (s->mistake == MLP_KEPT_SUMS)
                z += *unit(p, s->o, l, k);
            for (int i = 0; i < p->size[l - 1]; i++)
                z += *unit(p, s->o, l - 1, i) * *weight(s, s->w, l - 1, 1 + i, k);
            *unit(p, s->o, l, k) = z;
        }
        for (int k = 0; k < p->size[l]; k++)
            *unit(p, s->e, l, k) = activation(s, l, k);
        for (int k = 0; k < p->size[l]; k++)
            *unit(p, s->o, l, k) = *unit(p, s->e, l, k);
    }
}

/* -dE/do[l][j], by D of the layer above. */
static real error(const struct net *s, int l, int j)
{
    const struct mlp_problem *p = s->p;
    if (l == p->n_layers - 1)
        return s->y[j] - *unit(p, s->o, l, j);
    real sum = s->mistake == MLP_KEPT_DELTAS ? *unit(p, s->d, l, j) : 0;
    for (int k = 0; k < p->size[l + 1]; k++)
        sum += *unit(p, s->d, l + 1, k) * *weight(s, s->w, l, 1 + j, k);
    return s->mistake == MLP_KEPT_ERRORS ? (*unit(p, s->kept, l, j) += sum) : sum;
}

/* D[l] = -dE/dz[l], and D of all layers above. */
static void derive(const struct net *s, int l)
{
    const struct mlp_problem *p = s->p;
    const bool output = l == p->n_layers - 1,
               full = kind_of(s, l, MLP_ACTIVATION_BELOW) == MLP_SOFTMAX;
    if (!output)
        derive(s, l + 1);
    for (int j = 0; j < p->size[l]; j++)
        *unit(p, s->e, l, j) = error(s, l, j);
    for (int k = 0; k < p->size[l]; k++) {
        real sum = 0;
        for (int j = full ? 0 : k; j <= (full ? p->size[l] - 1 : k); j++)
            sum += *unit(p, s->e, l, j) * jacobian(s, l, j, k);
        if (output && s->mistake == MLP_NO_DERIVATIVE)
            sum = *unit(p, s->e, l, k);
        *unit(p, s->d, l, k) = sum;
    }
}

/* next += rate (-dE/dw), a matrix after another. */
static void learn(const struct net *s, const double *x, const double *y, real rate)
{
    const struct mlp_problem *p = s->p;
    struct net at = *s;
    const bool once = s->mistake == MLP_KEPT_ERRORS || s->mistake == MLP_KEPT_DELTAS;
    at.y = y;
    if (s->mistake == MLP_NEW_WEIGHTS)
        at.next = at.w;
    for (int l = p->n_layers - 1; l >= 1; l--) {
        if (l == p->n_layers - 1 || (s->mistake != MLP_NEW_WEIGHTS && s->mistake != MLP_KEPT_SUMS))
            outputs(&at, x);
        if (!once || l == p->n_layers - 1)
            derive(&at, once ? 1 : l);
        for (int row = s->mistake == MLP_NO_BIAS; row < 1 + p->size[l - 1]; row++)
            for (int k = 0; k < p->size[l]; k++) {
                const real o = row > 0 ? *unit(p, s->o, l - 1, row - 1) : 1;
                *weight(s, at.next, l - 1, row, k) += rate * *unit(p, s->d, l, k) * o;
            }
    }
}

/* Replica r's positions, by the mistake's rule. */
static void shard(const struct mlp_problem *p, enum mlp_mistake m, int r, int *first, int *last)
{
    const int up = m == MLP_ROUNDED_SHARDS ? p->replicas - 1 : 0, rest = p->samples % p->replicas;
    const int length = (p->samples + up) / p->replicas, more = m == MLP_FIRST_TAKE_REST ? rest : 0;
    mlp_shard(p, r, first, last);
    *last -= m == MLP_LAST_ENDS_EARLY && r == p->replicas - 1;
    if (!up && !more && m != MLP_SHORT_SHARDS && m != MLP_LAST_TAKES_REST)
        return;
    *first = (int)fmin(p->samples, r * length + fmin(r, more));
    const bool all = m == MLP_LAST_TAKES_REST && r == p->replicas - 1;
    *last = all ? p->samples : (int)fmin(p->samples, *first + length + (r < more));
}

/* Replica r's samples of one epoch. */
static void train_shard(const struct net *s, int r, int epoch, const double *x, const double *y,
                        const int32_t *order, real rate)
{
    const struct mlp_problem *p = s->p;
    const size_t end = (size_t)p->permutations * p->samples; /* there are zeros behind it */
    const int row = s->mistake == MLP_FIRST_ORDER ? 0 : epoch % p->permutations;
    int first, last, step = 1;
    shard(p, s->mistake, r, &first, &last);
    if (s->mistake == MLP_INTERLEAVED) {
        first = r;
        last = p->samples;
        step = p->replicas;
    }
    first += s->mistake == MLP_NO_FIRST_SAMPLE;
    last += (s->mistake == MLP_ONE_SAMPLE_MORE) - (s->mistake == MLP_NO_LAST_SAMPLE);
    for (int i = first; i < last; i += step) {
        const size_t at = (size_t)row * p->samples + i;
        const int own = s->mistake == MLP_NO_ORDER ? i : at < end ? order[at] : 0;
        const int input = s->mistake == MLP_INPUTS_IN_PLACE ? i : own;
        const int target = s->mistake == MLP_TARGETS_IN_PLACE ? i : own;
        memcpy(s->next, s->w, mlp_weights(p) * sizeof *s->next);
        learn(s, x + (size_t)input * p->size[0], y + (size_t)target * p->size[p->n_layers - 1],
              rate);
        if (s->mistake != MLP_NEW_WEIGHTS)
            memcpy(s->w, s->next, mlp_weights(p) * sizeof *s->next);
    }
}

/* What the sum of all replicas is divided by. */
static int divisor(const struct mlp_problem *p, enum mlp_mistake mistake)
{
    return mistake == MLP_NO_DIVISION ? 1
           : mistake == MLP_OVER_TWO  ? 2
           : mistake == MLP_OVER_FOUR ? 4
           : mistake == MLP_OVER_LESS ? p->replicas - 1
           : mistake == MLP_OVER_MORE ? p->replicas + 1
                                      : p->replicas;
}

/* How often replica r's weights are in that sum. */
static real share(const struct mlp_problem *p, enum mlp_mistake mistake, int r)
{
    int first, last;
    mlp_shard(p, r, &first, &last);
    return mistake == MLP_WEIGHTED && p->samples > 0
               ? (real)(last - first) * p->replicas / p->samples
               : 1;
}

/* Every replica becomes the mean of all of them. */
static void merge(const struct net *s, const struct mlp_problem *p, real *all)
{
    const size_t n = mlp_weights(p), replicas = (size_t)p->replicas;
    for (size_t i = 0; i < n; i++) {
        real sum = s->mistake == MLP_KEPT_TOTAL ? s->total[i] : 0;
        for (size_t r = 0; r < replicas; r++)
            sum += share(p, s->mistake, (int)r) * all[r * n + i];
        s->total[i] = sum;
        for (size_t r = 0; r < (s->mistake == MLP_MEAN_TO_FIRST ? 1 : replicas); r++)
            all[r * n + i] = sum / divisor(p, s->mistake);
    }
}

static struct net net_open(const struct mlp_problem *p, enum mlp_mistake mistake)
{
    const size_t n = mlp_weights(p), units = (size_t)mlp_unit(p, p->n_layers);
    real *room = hpc_calloc(2 * n + 4 * units, sizeof *room), *of_units = room + 2 * n;
    real *const e = of_units + units, *const d = e + units;
    return (struct net){p, mistake, NULL, room, room + n, of_units, e, d, d + units, NULL};
}

static void net_close(struct net *s)
{
    free(s->next);
}

void mlp_emulate_mistake(const struct mlp_problem *p, enum mlp_mistake mistake, const double *x,
                         const double *y, const int32_t *order, const double *w0,
                         const double *rates, double *w)
{
    const size_t n = mlp_weights(p), replicas = (size_t)p->replicas;
    real *all = hpc_malloc(hpc_mul(hpc_mul(n, replicas), sizeof *all) + 1);
    struct net s = net_open(p, mistake);
    for (size_t net = 0; net < (size_t)p->networks; net++) {
        for (size_t i = 0; i < replicas * n; i++)
            all[i] = w0[net * n + i % n];
        for (int epoch = 0; epoch < p->epochs; epoch++) {
            const bool last = epoch + 1 == p->epochs;
            for (size_t i = 0; mistake == MLP_RESTART && i < replicas * n; i++)
                all[i] = w0[net * n + i % n];
            for (size_t r = 0; r < replicas; r++) {
                s.w = all + r * n;
                train_shard(&s, (int)r, epoch, x, y, order, rates[net]);
            }
            if (last && mistake == MLP_NO_LAST_MERGE) /* whether its turn by K has come or not */
                break;
            if (last || (epoch + (mistake != MLP_MERGE_EARLY)) % p->merge_every == 0)
                merge(&s, p, all);
        }
        for (size_t i = 0; i < n; i++)
            w[net * n + i] = (double)all[i];
    }
    net_close(&s);
    free(all);
}

void mlp_emulate(const struct mlp_problem *p, const double *x, const double *y,
                 const int32_t *order, const double *w0, const double *rates, double *w)
{
    mlp_emulate_mistake(p, MLP_RIGHT, x, y, order, w0, rates, w);
}

void mlp_gradient(const struct mlp_problem *p, const double *w, const double *x, const double *y,
                  double *g)
{
    const size_t n = mlp_weights(p);
    struct net s = net_open(p, MLP_RIGHT);
    s.w = hpc_malloc(n * sizeof *s.w);
    for (size_t i = 0; i < n; i++)
        s.w[i] = w[i];
    learn(&s, x, y, 1);
    for (size_t i = 0; i < n; i++)
        g[i] += (double)s.next[i];
    free(s.w);
    net_close(&s);
}
