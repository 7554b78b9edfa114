/* mlp_sgd/openmp_trainer: flat's replicas side by side.
 *
 * Changes from flat: each thread trains whole replicas on their shards and meets the others only to
 * average, twice per merge: once all replicas are done, once their mean is written. Each replica's
 * weights and scratch are a block of their own, padded, so that no cache line has two writers.
 * Why it wins where openmp_inner loses: one barrier per 1000 updates instead of several per update.
 * The work of replica r does not depend on which thread does it: the result is the same for any
 * number of threads, and with flat's flags flat's bit for bit.
 * What limits it now: the latency of one update, as in flat; the slowest thread at each barrier. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "mlp/activation.h"
#include "mlp/mlp.h"

#define PAD 16 /* doubles: two cache lines, as processors fetch them in pairs */

struct trainer {
    const struct mlp_problem *p;
    int threads;
    size_t weights, stride; /* doubles in a net; doubles between replicas */
    double *replica;        /* [replicas][stride]: the weights, o of all units, D of all units */
};

/* Fill o[0 .. all units) from the inputs x[0 .. size[0]). */
static void forward_propagation(const struct mlp_problem *p, const double *w, const double *x,
                                double *o)
{
    memcpy(o, x, (size_t)p->size[0] * sizeof *o);
    for (int l = 1; l < p->n_layers; l++) {
        int n_in = p->size[l - 1], n_out = p->size[l];
        double *z = o + n_in;
        memcpy(z, w, (size_t)n_out * sizeof *z);
        w += n_out;
        for (int i = 0; i < n_in; i++, w += n_out)
            for (int k = 0; k < n_out; k++)
                z[k] += o[i] * w[k];
        mlp_activate(p->activation[l], n_out, z);
        o = z;
    }
}

/* One update of the matrix w between n_in units with outputs o and n_out units with deltas d.
 * e, unless NULL, gets the errors of the n_in units, by the weights as they were. */
static void update(int n_in, int n_out, double *w, const double *o, const double *d, double *e,
                   double rate)
{
    for (int k = 0; k < n_out; k++)
        w[k] += rate * d[k];
    w += n_out;
    for (int i = 0; i < n_in; i++, w += n_out) {
        if (e) {
            double sum = 0;
            for (int k = 0; k < n_out; k++)
                sum += d[k] * w[k];
            e[i] = sum;
        }
        for (int k = 0; k < n_out; k++)
            w[k] += rate * d[k] * o[i];
    }
}

static void back_propagation(const struct mlp_problem *p, double *w, const double *o,
                             const double *y, double *d, double rate)
{
    int last = p->n_layers - 1;
    o += mlp_unit(p, last);
    d += mlp_unit(p, last);
    w += mlp_weights(p);
    for (int k = 0; k < p->size[last]; k++)
        d[k] = y[k] - o[k];
    mlp_derivative(p->activation[last], p->size[last], o, d);
    for (int l = last - 1; l >= 0; l--) {
        const double *d_next = d;
        o -= p->size[l];
        d -= p->size[l];
        w -= mlp_matrix(p, l);
        update(p->size[l], p->size[l + 1], w, o, d_next, l > 0 ? d : NULL, rate);
        if (l > 0)
            mlp_derivative(p->activation[l], p->size[l], o, d);
    }
}

/* All replicas' mean of weights [first, last) to all of them. */
static void merge(const struct trainer *s, size_t first, size_t last)
{
    int replicas = s->p->replicas;
    for (size_t i = first; i < last; i++) {
        double sum = s->replica[i];
        for (int r = 1; r < replicas; r++)
            sum += s->replica[(size_t)r * s->stride + i];
        for (int r = 0; r < replicas; r++)
            s->replica[(size_t)r * s->stride + i] = sum / replicas;
    }
}

/* One epoch of replica r, whose samples are row[first .. last). */
static void epoch_of_replica(const struct trainer *s, int r, const double *x, const double *y,
                             const int32_t *row, double rate)
{
    const struct mlp_problem *p = s->p;
    size_t n_x = (size_t)p->size[0], n_y = (size_t)p->size[p->n_layers - 1];
    double *w = s->replica + (size_t)r * s->stride, *o = w + s->weights;
    double *d = o + mlp_unit(p, p->n_layers);
    int first, last;
    mlp_shard(p, r, &first, &last);
    for (int i = first; i < last; i++) {
        forward_propagation(p, w, x + (size_t)row[i] * n_x, o);
        back_propagation(p, w, o, y + (size_t)row[i] * n_y, d, rate);
    }
}

/* What thread `me` of `team` does: replicas me, me + team, .. and its share of every merge. */
static void train(const struct trainer *s, int me, int team, const void *const in[])
{
    const struct mlp_problem *p = s->p;
    double rate = *(const double *)in[MLP_RATES];
    size_t first = s->weights * (size_t)me / (size_t)team;
    size_t last = s->weights * (size_t)(me + 1) / (size_t)team;
    for (int r = me; r < p->replicas; r += team)
        memcpy(s->replica + (size_t)r * s->stride, in[MLP_W0], s->weights * sizeof(double));
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        const int32_t *order = in[MLP_ORDER];
        const int32_t *row = order + (size_t)(epoch % p->permutations) * (size_t)p->samples;
        for (int r = me; r < p->replicas; r += team)
            epoch_of_replica(s, r, in[MLP_X], in[MLP_Y], row, rate);
        if ((epoch + 1) % p->merge_every == 0 || epoch + 1 == p->epochs) {
#pragma omp barrier
            merge(s, first, last);
#pragma omp barrier
        }
    }
}

static void trainer_close(void *state)
{
    struct trainer *s = state;
    free(s->replica);
    free(s);
}

static int trainer_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    struct trainer *s = calloc(1, sizeof *s);
    if (p->type != HPC_F64 || p->networks != 1 || !s) {
        free(s);
        return 1;
    }
    s->p = p;
    s->threads = env->threads < p->replicas ? env->threads : p->replicas;
    s->weights = mlp_weights(p);
    s->stride = s->weights + 2 * (size_t)mlp_unit(p, p->n_layers);
    s->stride = (s->stride + 2 * PAD - 1) / PAD * PAD; /* at least PAD - 1 unused between two */
    s->replica =
        aligned_alloc(PAD * sizeof(double), (size_t)p->replicas * s->stride * sizeof(double));
    *state = s;
    if (s->replica)
        return 0;
    trainer_close(s);
    return 1;
}

static int trainer_run(void *state, const void *const in[], void *const out[])
{
    const struct trainer *s = state;
#pragma omp parallel num_threads(s->threads)
    train(s, omp_get_thread_num(), omp_get_num_threads(), in);
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,      "mlp_sgd",   "openmp_trainer",
                                        trainer_open, trainer_run, trainer_close};
