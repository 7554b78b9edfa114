/* mlp_sgd/openmp_owner: each thread owns units of every layer, and all weights that lead to them.
 *
 * Changes from openmp_inner: a thread is the only one that ever reads or writes the columns of its
 * units. Forward needs nothing else. On the way back a thread makes its part of every error of the
 * layer before, and the owner of a unit adds the parts.
 * Why it wins: weights never travel between caches; per layer and update, only as many doubles
 * as the layer has units do. The parts make another order of additions: equal to flat within 1e-12.
 * What limits it now: the barriers, one a layer each way, two more at a softmax. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "mlp/activation.h"
#include "mlp/mlp.h"

#define LINE 8 /* doubles: shares of a layer are cut at multiples of it, as cache lines are */
#define PAD  16

struct owner {
    const struct mlp_problem *p;
    int threads;
    size_t stride;          /* doubles between two threads' parts */
    double *output, *delta; /* of all layers' units, each written by its owner */
    double *part;           /* [threads][stride]: what a thread adds to the error of each unit */
};

/* One thread's place in the team, and the units [first, last) of a layer of n that it owns. */
struct place {
    int me, team;
};

static int cut(int n, int t, int team)
{
    int64_t unit = ((int64_t)n * t / team + LINE - 1) / LINE * LINE;
    return unit < n ? (int)unit : n;
}

/* o of the units [first, last) of a layer of n, from the outputs `in` of the layer before. */
static void forward_own(int n_in, int n, int first, int last, const double *w, const double *in,
                        double *o)
{
    for (int k = first; k < last; k++)
        o[k] = w[k];
    for (int i = 0; i < n_in; i++) {
        w += n;
        for (int k = first; k < last; k++)
            o[k] += in[i] * w[k];
    }
}

/* Update the columns [first, last); part, unless NULL, gets what they add to the n_in errors. */
static void backward_own(int n_in, int n, int first, int last, double *w, const double *in,
                         const double *d, double *part, double rate)
{
    for (int k = first; k < last; k++)
        w[k] += rate * d[k];
    for (int i = 0; i < n_in; i++) {
        double sum = 0;
        w += n;
        for (int k = first; part && k < last; k++)
            sum += d[k] * w[k];
        for (int k = first; k < last; k++)
            w[k] += rate * d[k] * in[i];
        if (part)
            part[i] = sum;
    }
}

/* o[first .. last) from z there, or D from e where d is not NULL. A softmax needs its whole layer.
 * Called by all threads; those of a softmax leave together. */
static void pointwise(int activation, int n, int first, int last, double *o, double *d)
{
    int whole = activation == MLP_SOFTMAX;
    if (whole) {
        first = 0;
        last = n;
#pragma omp barrier
    }
    if ((!whole || omp_get_thread_num() == 0) && last > first) {
        if (d)
            mlp_derivative(activation, last - first, o + first, d + first);
        else
            mlp_activate(activation, last - first, o + first);
    }
    if (whole) {
#pragma omp barrier
    }
}

/* One update by all threads together. */
static void learn(const struct owner *s, struct place t, double *weights, const double *x,
                  const double *y, double rate)
{
    const struct mlp_problem *p = s->p;
    for (int l = 1; l < p->n_layers; l++) {
        int n = p->size[l], first = cut(n, t.me, t.team), last = cut(n, t.me + 1, t.team);
        double *o = s->output + mlp_unit(p, l);
        forward_own(p->size[l - 1], n, first, last, weights + mlp_offset(p, l - 1),
                    l == 1 ? x : o - p->size[l - 1], o);
        pointwise(p->activation[l], n, first, last, o, NULL);
#pragma omp barrier
    }
    for (int l = p->n_layers - 1; l >= 1; l--) {
        int n = p->size[l], first = cut(n, t.me, t.team), last = cut(n, t.me + 1, t.team);
        int at = mlp_unit(p, l);
        double *o = s->output + at, *d = s->delta + at;
        double *part = s->part + (size_t)t.me * s->stride + mlp_unit(p, l - 1);
        for (int i = first; i < last; i++) {
            d[i] = l == p->n_layers - 1 ? y[i] - o[i] : 0;
            for (int k = 0; l < p->n_layers - 1 && k < t.team; k++)
                d[i] += s->part[(size_t)k * s->stride + (size_t)(at + i)];
        }
        pointwise(p->activation[l], n, first, last, o, d);
        backward_own(p->size[l - 1], n, first, last, weights + mlp_offset(p, l - 1),
                     l == 1 ? x : o - p->size[l - 1], d, l == 1 ? NULL : part, rate);
#pragma omp barrier
    }
}

static void owner_close(void *state)
{
    struct owner *s = state;
    free(s->output);
    free(s->delta);
    free(s->part);
    free(s);
}

static int owner_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    struct owner *s = calloc(1, sizeof *s);
    if (p->type != HPC_F64 || p->networks != 1 || p->replicas != 1 || !s) {
        free(s);
        return 1;
    }
    size_t units = (size_t)mlp_unit(p, p->n_layers);
    s->p = p;
    s->threads = env->threads;
    s->stride = units + PAD;
    s->output = calloc(units, sizeof(double));
    s->delta = calloc(units, sizeof(double));
    s->part = calloc((size_t)s->threads * s->stride, sizeof(double));
    *state = s;
    if (s->output && s->delta && s->part)
        return 0;
    owner_close(s);
    return 1;
}

static int owner_run(void *state, const void *const in[], void *const out[])
{
    const struct owner *s = state;
    const struct mlp_problem *p = s->p;
    const double *x = in[MLP_X], *y = in[MLP_Y], rate = *(const double *)in[MLP_RATES];
    size_t n_x = (size_t)p->size[0], n_y = (size_t)p->size[p->n_layers - 1];
    double *w = out[MLP_W];
    memcpy(w, in[MLP_W0], mlp_weights(p) * sizeof *w);
#pragma omp parallel num_threads(s->threads)
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        struct place t = {omp_get_thread_num(), omp_get_num_threads()};
        const int32_t *order = in[MLP_ORDER];
        const int32_t *row = order + (size_t)(epoch % p->permutations) * (size_t)p->samples;
        for (int i = 0; i < p->samples; i++)
            learn(s, t, w, x + (size_t)row[i] * n_x, y + (size_t)row[i] * n_y, rate);
    }
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,    "mlp_sgd", "openmp_owner",
                                        owner_open, owner_run, owner_close};
