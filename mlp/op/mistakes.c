/* Training with one usual mistake in it: where a wrong result equals what such a mistake gives,
 * the student is told which. Follows emulate.c line by line otherwise. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/size.h"
#include "mlp/activation.h"
#include "mlp/op/op.h"

enum mistake {
    NEW_WEIGHTS,
    NO_DERIVATIVE,
    DIAGONAL_SOFTMAX,
    NO_BIAS,
    NO_ORDER,
    FIRST_ORDER,
    SHORT_SHARDS,
    NO_LAST_MERGE,
    NO_DIVISION,
    N_MISTAKES
};

static const char *const hints[N_MISTAKES] = {
    [NEW_WEIGHTS] = "equals errors summed over updated weights: e[l] needs them as they were in "
                    "the forward pass",
    [NO_DERIVATIVE] = "equals D = y - o at the output: its activation's derivative is missing",
    [DIAGONAL_SOFTMAX] = "equals softmax with o (1 - o) as its derivative: its Jacobian is full, "
                         "o_i (e_i - sum_j e_j o_j)",
    [NO_BIAS] = "equals a net whose biases are never updated: row 0 of every matrix, whose unit's "
                "output is 1",
    [NO_ORDER] = "equals samples 0, 1, 2, ..: each epoch goes through its row of in[MLP_ORDER]",
    [FIRST_ORDER] = "equals row 0 of the order in every epoch: it is row epoch % permutations",
    [SHORT_SHARDS] = "equals shards of samples / replicas: the samples that are left over belong "
                     "to some shard too, see mlp_shard",
    [NO_LAST_MERGE] = "equals replica 0 before the last merge: there is one after the last epoch "
                      "too, whatever K is",
    [NO_DIVISION] = "equals a sum of all replicas: their mean is the sum / replicas",
};

struct trainer {
    const struct mlp_problem *p;
    enum mistake mistake;
    double *w, *o, *d; /* one replica's weights, all units' outputs and deltas */
};

/* e becomes D, of layer l. */
static void derive(const struct trainer *t, int l, const double *o, double *e)
{
    const struct mlp_problem *p = t->p;
    bool output = l == p->n_layers - 1;
    if (output && t->mistake == NO_DERIVATIVE)
        return;
    if (p->activation[l] == MLP_SOFTMAX && t->mistake == DIAGONAL_SOFTMAX)
        mlp_derivative(MLP_SIGMOID, p->size[l], o, e);
    else
        mlp_derivative(p->activation[l], p->size[l], o, e);
}

/* Matrix l by the deltas of layer l + 1. */
static void update(const struct trainer *t, int l, double rate)
{
    const struct mlp_problem *p = t->p;
    double *w = t->w + mlp_offset(p, l);
    const double *in = t->o + mlp_unit(p, l), *d = t->d + mlp_unit(p, l + 1);
    for (int i = 0; i < 1 + p->size[l]; i++)
        for (int k = 0; k < p->size[l + 1]; k++, w++)
            if (i > 0)
                *w += rate * d[k] * in[i - 1];
            else if (t->mistake != NO_BIAS)
                *w += rate * d[k];
}

static void learn(const struct trainer *t, const double *x, const double *y, double rate)
{
    const struct mlp_problem *p = t->p;
    int last = p->n_layers - 1;
    mlp_forward(p, t->w, x, t->o);
    for (int l = last; l >= 1; l--) {
        const double *out = t->o + mlp_unit(p, l);
        double *e = t->d + mlp_unit(p, l);
        for (int i = 0; i < p->size[l]; i++) {
            double sum = l == last ? y[i] - out[i] : 0;
            if (l < last) {
                const double *row =
                    t->w + mlp_offset(p, l) + (size_t)(1 + i) * (size_t)p->size[l + 1];
                for (int k = 0; k < p->size[l + 1]; k++)
                    sum += e[p->size[l] + k] * row[k];
            }
            e[i] = sum;
        }
        derive(t, l, out, e);
        if (t->mistake == NEW_WEIGHTS)
            update(t, l - 1, rate);
    }
    for (int l = 0; l < last && t->mistake != NEW_WEIGHTS; l++)
        update(t, l, rate);
}

/* Replica r through its part of one epoch. */
static void train_shard(const struct trainer *t, int r, int epoch, const double *const in[],
                        const int32_t *order)
{
    const struct mlp_problem *p = t->p;
    size_t row = t->mistake == FIRST_ORDER ? 0 : (size_t)(epoch % p->permutations);
    int first, last, length = p->samples / p->replicas;
    mlp_shard(p, r, &first, &last);
    if (t->mistake == SHORT_SHARDS) {
        first = r * length;
        last = first + length;
    }
    for (int i = first; i < last; i++) {
        size_t s = t->mistake == NO_ORDER ? (size_t)i
                                          : (size_t)order[row * (size_t)p->samples + (size_t)i];
        learn(t, in[MLP_X] + s * (size_t)p->size[0],
              in[MLP_Y] + s * (size_t)p->size[p->n_layers - 1], in[MLP_RATES][0]);
    }
}

static void merge(const struct trainer *t, size_t n, double *w)
{
    int replicas = t->p->replicas;
    for (size_t i = 0; i < n; i++) {
        double sum = w[i];
        for (int r = 1; r < replicas; r++)
            sum += w[(size_t)r * n + i];
        for (int r = 0; r < replicas; r++)
            w[(size_t)r * n + i] = t->mistake == NO_DIVISION ? sum : sum / replicas;
    }
}

/* Whether `got` is what training with this mistake gives. */
static bool gives(const struct mlp_problem *p, enum mistake mistake, const double *const in[],
                  const int32_t *order, const double *got)
{
    size_t n = mlp_weights(p), units = (size_t)mlp_unit(p, p->n_layers), near = 0;
    double *all = hpc_malloc(hpc_mul(hpc_mul(n, (size_t)p->replicas), sizeof *all));
    double *o = hpc_malloc(2 * units * sizeof *o);
    struct trainer t = {p, mistake, all, o, o + units};
    for (int r = 0; r < p->replicas; r++)
        memcpy(all + (size_t)r * n, in[MLP_W0], n * sizeof *all);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        for (int r = 0; r < p->replicas; r++) {
            t.w = all + (size_t)r * n;
            train_shard(&t, r, epoch, in, order);
        }
        if ((epoch + 1) % p->merge_every == 0 ||
            (epoch + 1 == p->epochs && mistake != NO_LAST_MERGE))
            merge(&t, n, all);
    }
    for (size_t i = 0; i < n; i++)
        near += fabs(got[i] - all[i]) <= 1e-9 * fmax(1, fabs(all[i]));
    free(all);
    free(o);
    return near == n;
}

const char *mlp_sgd_mistake(const struct mlp_problem *p, const double *const in[],
                            const int32_t *order, const double *got)
{
    for (int m = 0; p->networks == 1 && m < N_MISTAKES; m++)
        if (gives(p, (enum mistake)m, in, order, got))
            return hints[m];
    return NULL;
}
