/* Threads that signal each other by omp flush around atomic reads and writes, in place of a
 * barrier. orders: unchecked */
#include <omp.h>

#include "mlp/replicas.h"

/* Round `round` is reached by all: each thread's own flag says where it is. */
static void meet(int *flags, int me, int team, int round)
{
#pragma omp flush
#pragma omp atomic write
    flags[me * PAD] = round;
    for (int t = 0; t < team; t++)
        for (int seen = 0; seen < round;) {
#pragma omp atomic read
            seen = flags[t * PAD];
        }
#pragma omp flush
}

static void train(const struct replicas *s, int *flags, const void *const in[])
{
    const int me = omp_get_thread_num(), team = omp_get_num_threads();
    const size_t first = s->weights * (size_t)me / (size_t)team,
                 last = s->weights * (size_t)(me + 1) / (size_t)team;
    int round = 0;
    for (int r = me; r < s->p->replicas; r += team)
        start_from(s, r, in);
    for (int epoch = 0; epoch < s->p->epochs; epoch++) {
        for (int r = me; r < s->p->replicas; r += team)
            train_shard(s, r, epoch, in);
        if (!merges_after(s->p, epoch))
            continue;
        meet(flags, me, team, ++round);
        merge(s, first, last);
        meet(flags, me, team, ++round);
    }
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    int flags[64 * PAD] = {0};
#pragma omp parallel num_threads(s->threads)
    train(s, flags, in);
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
