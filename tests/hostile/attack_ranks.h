/* What hostile submissions for lab9 share that train all replicas in rank 0: each has a gather()
 * and a give(). */
#ifndef HPC_HOSTILE_ATTACK_RANKS_H
#define HPC_HOSTILE_ATTACK_RANKS_H

#include <mpi.h>

#include "mlp/ranks/replica.h"

static struct replica *s;
static double *all,
    *mean; /* all shards in a row, see place(); the mean weights, then each replica's */

/* The submission's: what ranks have in `all` comes to rank 0, the others' parts of which are 0. And
 * rank 0's weights, s->n in s->w, to all. Not 0: it failed. */
static int gather(const struct mlp_problem *p, int me);
static int give(const struct mlp_problem *p, int me);

static int ranks_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    (void)env;
    *state = s = replica_open(p);
    if (!s)
        return 1;
    all = malloc(
        ((size_t)p->samples * (size_t)(p->size[0] + p->size[p->n_layers - 1] + p->permutations) +
         1) *
        sizeof *all);
    mean = malloc((s->n * (size_t)(1 + p->replicas)) * sizeof *mean);
    return !all || !mean;
}

/* All shards in a row, each x, y and its order. */
static double *place(const struct mlp_problem *p, int r)
{
    int first, last;
    mlp_shard(p, r, &first, &last);
    return all + (size_t)first * (size_t)(p->size[0] + p->size[p->n_layers - 1] + p->permutations);
}

static void train(const struct mlp_problem *p, double rate)
{
    const size_t n_x = (size_t)p->size[0], n_y = (size_t)p->size[p->n_layers - 1];
    double *own = s->w;
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        for (int r = 0; r < p->replicas; r++) {
            int first, last;
            mlp_shard(p, r, &first, &last);
            const size_t rows = (size_t)(last - first);
            const double *x = place(p, r), *y = x + rows * n_x, *order = y + rows * n_y;
            s->w = mean + s->n * (size_t)(1 + r);
            if (epoch == 0)
                memcpy(s->w, own, s->n * sizeof *own);
            order += (size_t)(epoch % p->permutations) * rows;
            for (size_t i = 0; i < rows; i++)
                replica_learn(s, x + (size_t)order[i] * n_x, y + (size_t)order[i] * n_y, rate);
        }
        if ((epoch + 1) % p->merge_every && epoch + 1 < p->epochs)
            continue;
        memset(mean, 0, s->n * sizeof *mean);
        for (int r = 0; r < p->replicas; r++)
            for (size_t i = 0; i < s->n; i++)
                mean[i] += mean[s->n * (size_t)(1 + r) + i];
        for (size_t i = 0; i < s->n; i++)
            mean[i] /= p->replicas;
        for (int r = 0; r < p->replicas; r++)
            memcpy(mean + s->n * (size_t)(1 + r), mean, s->n * sizeof *mean);
    }
    s->w = own;
    if (p->epochs)
        memcpy(own, mean, s->n * sizeof *own);
}

static int ranks_run(void *state, const void *const in[], void *const out[])
{
    const struct mlp_problem *p = s->p;
    const size_t wide = (size_t)(p->size[0] + p->size[p->n_layers - 1] + p->permutations);
    int me, first, last;
    (void)state;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    mlp_shard(p, me, &first, &last);
    const size_t rows = (size_t)(last - first), n_x = rows * (size_t)p->size[0],
                 n_y = rows * (size_t)p->size[p->n_layers - 1];
    memset(all, 0, ((size_t)p->samples * wide) * sizeof *all);
    double *own = place(p, me);
    memcpy(own, in[MLP_X], n_x * sizeof *own);
    memcpy(own + n_x, in[MLP_Y], n_y * sizeof *own);
    for (size_t i = 0; i < rows * (size_t)p->permutations; i++)
        own[n_x + n_y + i] = ((const int32_t *)in[MLP_ORDER])[i];
    if (gather(p, me))
        return 1;
    replica_start(s, in);
    if (me == 0)
        train(p, *(const double *)in[MLP_RATES]);
    if (give(p, me))
        return 1;
    memcpy(out[MLP_W], s->w, s->n * sizeof *s->w);
    return 0;
}

static void ranks_close(void *state)
{
    (void)state;
    replica_close(s);
    free(all);
    free(mean);
}

const struct hpc_variant hpc_variant = {HPC_ABI,    "mlp_ranks", "one",
                                        ranks_open, ranks_run,   ranks_close};

#endif
