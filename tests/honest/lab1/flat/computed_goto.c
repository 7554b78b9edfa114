/* An arena of its own, taken piece by piece in open(); a program of labels, jumped through by
 * computed goto; restrict, __builtin_prefetch and __builtin_expect. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mlp/activation.h"
#include "mlp/mlp.h"

enum step { LOAD, UP, ERROR, DOWN, END };

struct arena {
    char *at, *end;
};

struct net {
    const struct mlp_problem *p;
    double *o, *d;
    unsigned char *program;
    struct arena arena;
};

static void *take(struct arena *a, size_t bytes)
{
    void *piece = a->at;
    a->at += (bytes + 63) / 64 * 64;
    return __builtin_expect(a->at <= a->end, 1) ? piece : NULL;
}

static void up(int n_in, int n, const double *restrict w, const double *restrict in,
               double *restrict z)
{
    memcpy(z, w, (size_t)n * sizeof *z);
    for (int i = 0; i < n_in; i++) {
        const double *restrict row = w + (1 + i) * n;
        __builtin_prefetch(row + n, 0, 3);
        for (int k = 0; k < n; k++)
            z[k] += in[i] * row[k];
    }
}

static void down(int n_in, int n, double *restrict w, const double *restrict in,
                 const double *restrict d, double *restrict e, double rate)
{
    for (int k = 0; k < n; k++)
        w[k] += rate * d[k];
    for (int i = 0; i < n_in; i++) {
        double *restrict row = w + (1 + i) * n, sum = 0;
        for (int k = 0; k < n; k++) {
            sum += d[k] * row[k];
            row[k] += rate * d[k] * in[i];
        }
        e[i] = sum;
    }
}

static void learn(const struct net *s, double *w, const double *x, const double *y, double rate)
{
    static const void *const labels[] = {&&load, &&forward, &&error, &&backward, &&end};
    const struct mlp_problem *p = s->p;
    const unsigned char *at = s->program;
    int l = 0;
#define NEXT goto *labels[*at++]
    NEXT;
load:
    memcpy(s->o, x, (size_t)p->size[0] * sizeof *s->o);
    NEXT;
forward:
    l++;
    up(p->size[l - 1], p->size[l], w + mlp_offset(p, l - 1), s->o + mlp_unit(p, l - 1),
       s->o + mlp_unit(p, l));
    mlp_activate(p->activation[l], p->size[l], s->o + mlp_unit(p, l));
    NEXT;
error:
    for (int k = 0; k < p->size[l]; k++)
        s->d[mlp_unit(p, l) + k] = y[k] - s->o[mlp_unit(p, l) + k];
    NEXT;
backward:
    mlp_derivative(p->activation[l], p->size[l], s->o + mlp_unit(p, l), s->d + mlp_unit(p, l));
    down(p->size[l - 1], p->size[l], w + mlp_offset(p, l - 1), s->o + mlp_unit(p, l - 1),
         s->d + mlp_unit(p, l), s->d + mlp_unit(p, l - 1), rate);
    l--;
    NEXT;
end:;
}

static void close_it(void *state)
{
    free(state);
}

static int open_it(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    const size_t units = (size_t)mlp_unit(p, p->n_layers);
    const size_t bytes = 4096 + 2 * units * sizeof(double) + 2 * (size_t)p->n_layers;
    char *all = p->type == HPC_F64 && p->networks == 1 && p->replicas == 1 ? malloc(bytes) : NULL;
    struct arena a = {all, all + bytes};
    (void)env;
    if (!all)
        return 1;
    struct net *s = take(&a, sizeof *s);
    *s = (struct net){.p = p,
                      .o = take(&a, units * sizeof(double)),
                      .d = take(&a, units * sizeof(double)),
                      .program = take(&a, 2 * (size_t)p->n_layers + 1)};
    unsigned char *at = s->program;
    *at++ = LOAD;
    for (int l = 1; l < p->n_layers; l++)
        *at++ = UP;
    *at++ = ERROR;
    for (int l = 1; l < p->n_layers; l++)
        *at++ = DOWN;
    *at = END;
    s->arena = a;
    *state = s;
    return 0;
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct net *s = state;
    const struct mlp_problem *p = s->p;
    double *w = out[MLP_W];
    memcpy(w, in[MLP_W0], mlp_weights(p) * sizeof *w);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        const int32_t *row =
            (const int32_t *)in[MLP_ORDER] + (size_t)(epoch % p->permutations) * (size_t)p->samples;
        for (int i = 0; i < p->samples; i++)
            learn(s, w, (const double *)in[MLP_X] + (size_t)row[i] * (size_t)p->size[0],
                  (const double *)in[MLP_Y] + (size_t)row[i] * (size_t)p->size[p->n_layers - 1],
                  *(const double *)in[MLP_RATES]);
    }
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_sgd", "flat", open_it, run, close_it};
