/* A replica's epoch ends when an event is fulfilled, for which a detached task stands: the merge
 * depends on all of these, and on nothing that trains. RACY fulfills it a store too early, which
 * the thread sanitizer must see. */
#include <omp.h>

#include "mlp/replicas.h"

static void one_epoch(const struct replicas *s, int epoch, char *ended, const void *const in[])
{
    const int n = s->p->replicas;
    for (int r = 0; r < n; r++) {
        omp_event_handle_t trained;
#pragma omp task firstprivate(r) depend(out : ended[r]) detach(trained)
        ended[r] = 1;
#pragma omp task firstprivate(r, trained)
        {
            train_shard(s, r, epoch, in);
            omp_fulfill_event(trained);
#ifdef RACY
            ended[r] = 2;
#endif
        }
    }
#pragma omp task depend(iterator(r = 0 : n), in : ended[r])
    {
        int all = 1;
        for (int r = 0; r < n; r++)
            all = all && ended[r];
        if (all && merges_after(s->p, epoch)) {
            merge(s, 0, s->weights);
        }
    }
#pragma omp taskwait
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    char ended[256];
    if (s->p->replicas > (int)sizeof ended)
        return 1;
#pragma omp parallel num_threads(s->threads)
#pragma omp single
    {
        for (int r = 0; r < s->p->replicas; r++)
            start_from(s, r, in);
        for (int epoch = 0; epoch < s->p->epochs; epoch++)
            one_epoch(s, epoch, ended, in);
    }
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
