/* Replicas of a small net with nothing in common, for the mutants of lab3 and lab4: each of them
 * changes one thing of what a right solution does with this. tests/cli/mutants.sh lays it beside
 * the headers of mlp/. */
#ifndef HPC_TESTS_REPLICAS_H
#define HPC_TESTS_REPLICAS_H

#include <stdlib.h>
#include <string.h>

#include "mlp/activation.h"
#include "mlp/mlp.h"

#define PAD    16
#define UNUSED __attribute__((unused))

struct replicas {
    const struct mlp_problem *p;
    int threads;
    size_t weights, stride;
    double *replica; /* [replicas][stride]: the weights, o of all units, D of all units */
};

/* One update of the net w by one sample. */
UNUSED static void learn(const struct mlp_problem *p, double *w, const double *x, const double *y,
                         double *o, double *d, double rate)
{
    int last = p->n_layers - 1;
    memcpy(o, x, (size_t)p->size[0] * sizeof *o);
    for (int l = 1; l <= last; l++) {
        int n_in = p->size[l - 1], n = p->size[l];
        const double *m = w + mlp_offset(p, l - 1), *in = o + mlp_unit(p, l - 1);
        double *z = o + mlp_unit(p, l);
        memcpy(z, m, (size_t)n * sizeof *z);
        for (int i = 0; i < n_in; i++)
            for (int k = 0; k < n; k++)
                z[k] += in[i] * m[(1 + i) * n + k];
        mlp_activate(p->activation[l], n, z);
    }
    for (int l = last; l >= 1; l--) {
        int n_in = p->size[l - 1], n = p->size[l];
        double *m = w + mlp_offset(p, l - 1), *delta = d + mlp_unit(p, l), *e = delta - n_in;
        const double *in = o + mlp_unit(p, l - 1), *out = o + mlp_unit(p, l);
        for (int k = 0; l == last && k < n; k++)
            delta[k] = y[k] - out[k];
        mlp_derivative(p->activation[l], n, out, delta);
        for (int k = 0; k < n; k++)
            m[k] += rate * delta[k];
        for (int i = 0; i < n_in; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++) {
                sum += delta[k] * m[(1 + i) * n + k];
                m[(1 + i) * n + k] += rate * delta[k] * in[i];
            }
            e[i] = sum;
        }
    }
}

UNUSED static double *weights_of(const struct replicas *s, int r)
{
    return s->replica + (size_t)r * s->stride;
}

/* Positions [first, last) of epoch `epoch` with replica r. */
UNUSED static void train_positions(const struct replicas *s, int r, int epoch, int first, int last,
                                   const void *const in[])
{
    const struct mlp_problem *p = s->p;
    const double *x = in[MLP_X], *y = in[MLP_Y];
    const int32_t *row =
        (const int32_t *)in[MLP_ORDER] + (size_t)(epoch % p->permutations) * (size_t)p->samples;
    double *w = weights_of(s, r), *o = w + s->weights, *d = o + mlp_unit(p, p->n_layers);
    for (int i = first; i < last; i++)
        learn(p, w, x + (size_t)row[i] * (size_t)p->size[0],
              y + (size_t)row[i] * (size_t)p->size[p->n_layers - 1], o, d,
              *(const double *)in[MLP_RATES]);
}

UNUSED static void train_shard(const struct replicas *s, int r, int epoch, const void *const in[])
{
    int first, last;
    mlp_shard(s->p, r, &first, &last);
    train_positions(s, r, epoch, first, last, in);
}

UNUSED static void start_from(const struct replicas *s, int r, const void *const in[])
{
    memcpy(weights_of(s, r), in[MLP_W0], s->weights * sizeof(double));
}

UNUSED static int merges_after(const struct mlp_problem *p, int epoch)
{
    return (epoch + 1) % p->merge_every == 0 || epoch + 1 == p->epochs;
}

/* Weights [first, last) of all replicas become their mean. */
UNUSED static void merge(const struct replicas *s, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++) {
        double sum = s->replica[i];
        for (int r = 1; r < s->p->replicas; r++)
            sum += s->replica[(size_t)r * s->stride + i];
        for (int r = 0; r < s->p->replicas; r++)
            s->replica[(size_t)r * s->stride + i] = sum / s->p->replicas;
    }
}

UNUSED static void replicas_close(void *state)
{
    struct replicas *s = state;
    free(s->replica);
    free(s);
}

UNUSED static int replicas_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    struct replicas *s = calloc(1, sizeof *s);
    if (!s || p->type != HPC_F64 || p->networks != 1) {
        free(s);
        return 1;
    }
    s->p = p;
    s->threads = env->threads < p->replicas ? env->threads : p->replicas;
    s->weights = mlp_weights(p);
    s->stride = (s->weights + 2 * (size_t)mlp_unit(p, p->n_layers) + 2 * PAD) / PAD * PAD;
    s->replica = calloc((size_t)p->replicas * s->stride, sizeof(double));
    *state = s;
    if (s->replica)
        return 0;
    replicas_close(s);
    return 1;
}

#endif
