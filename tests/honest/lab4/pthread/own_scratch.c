/* Each thread's scratch is its own: variable-length arrays, alloca, a key with a destructor. A
 * thread an epoch and replica, joined before the merge. */
#include <alloca.h>
#include <pthread.h>

#include "mlp/replicas.h"

struct job {
    const struct replicas *s;
    const void *const *in;
    int replica, epoch;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void make_key(void)
{
    pthread_key_create(&key, free);
}

/* One epoch of a shard, its weights copied to this thread's stack and back. */
static void *work(void *argument)
{
    const struct job *job = argument;
    const struct mlp_problem *p = job->s->p;
    const int units = mlp_unit(p, p->n_layers);
    double w[job->s->weights], *o = alloca((size_t)units * sizeof *o);
    double *d = malloc((size_t)units * sizeof *d);
    const int32_t *row = (const int32_t *)job->in[MLP_ORDER] +
                         (size_t)(job->epoch % p->permutations) * (size_t)p->samples;
    int first, last;
    pthread_once(&once, make_key);
    pthread_setspecific(key, d);
    memcpy(w, weights_of(job->s, job->replica), sizeof w);
    mlp_shard(p, job->replica, &first, &last);
    for (int i = first; i < last; i++)
        learn(p, w, (const double *)job->in[MLP_X] + (size_t)row[i] * (size_t)p->size[0],
              (const double *)job->in[MLP_Y] + (size_t)row[i] * (size_t)p->size[p->n_layers - 1], o,
              pthread_getspecific(key), *(const double *)job->in[MLP_RATES]);
    memcpy(weights_of(job->s, job->replica), w, sizeof w);
    return NULL;
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    struct job job[64];
    pthread_t thread[64];
    const int n = s->p->replicas, side_by_side = s->threads;
    for (int r = 0; r < n; r++)
        start_from(s, r, in);
    for (int epoch = 0; epoch < s->p->epochs; epoch++) {
        for (int first = 0; first < n; first += side_by_side) {
            const int last = first + side_by_side < n ? first + side_by_side : n;
            for (int r = first; r < last; r++) {
                job[r - first] = (struct job){s, in, r, epoch};
                if (pthread_create(&thread[r - first], NULL, work, &job[r - first]))
                    return 1;
            }
            for (int r = first; r < last; r++)
                pthread_join(thread[r - first], NULL);
        }
        if (merges_after(s->p, epoch))
            merge(s, 0, s->weights);
    }
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "pthread",
                                        replicas_open, run,       replicas_close};
