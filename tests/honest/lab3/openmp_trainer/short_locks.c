/* Locks that are taken shortly: readers and a writer of the list of replicas, one lock a layer for
 * its part of the mean, critical regions for a log, and losses that are written in order. */
#include <omp.h>

#include "mlp/replicas.h"

enum { LAYERS = 16, LOG = 64 };

struct book {
    omp_lock_t readers_lock, writer, layer[LAYERS];
    int readers, next;
    int log[LOG], lines;
    double loss;
};

/* The next replica, which a writer alone changes, and any number of readers look at. */
static int look(struct book *b)
{
    omp_set_lock(&b->readers_lock);
    b->readers++;
    const int next = b->next;
    b->readers--;
    omp_unset_lock(&b->readers_lock);
    return next;
}

static int take(struct book *b, int most)
{
    if (look(b) >= most)
        return most;
    omp_set_lock(&b->writer);
    omp_set_lock(&b->readers_lock);
    const int mine = b->next++;
    omp_unset_lock(&b->readers_lock);
    omp_unset_lock(&b->writer);
    return mine;
}

static void train(const struct replicas *s, struct book *b, int epoch, const void *const in[])
{
    int r;
    while ((r = take(b, s->p->replicas)) < s->p->replicas) {
        train_shard(s, r, epoch, in);
#pragma omp critical(log)
        b->log[b->lines++ % LOG] = r;
    }
}

static void average(const struct replicas *s, struct book *b)
{
    const int layers = s->p->n_layers - 1;
#pragma omp for schedule(dynamic)
    for (int l = 0; l < layers; l++) {
        const size_t end = l + 1 < layers ? mlp_offset(s->p, l + 1) : s->weights;
        omp_set_lock(&b->layer[l % LAYERS]);
        merge(s, mlp_offset(s->p, l), end);
        omp_unset_lock(&b->layer[l % LAYERS]);
    }
}

static void epochs(const struct replicas *s, struct book *b, const void *const in[])
{
    for (int epoch = 0; epoch < s->p->epochs; epoch++) {
#pragma omp single
        b->next = 0;
        train(s, b, epoch, in);
#pragma omp barrier
        if (merges_after(s->p, epoch))
            average(s, b);
#pragma omp for ordered schedule(static)
        for (int r = 0; r < s->p->replicas; r++) {
            const double first = weights_of(s, r)[0];
#pragma omp ordered
            b->loss += first * first;
        }
    }
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    struct book b = {.readers = 0};
    omp_init_lock(&b.readers_lock);
    omp_init_lock(&b.writer);
    for (int l = 0; l < LAYERS; l++)
        omp_init_lock(&b.layer[l]);
    for (int r = 0; r < s->p->replicas; r++)
        start_from(s, r, in);
#pragma omp parallel num_threads(s->threads)
    epochs(s, &b, in);
    for (int l = 0; l < LAYERS; l++)
        omp_destroy_lock(&b.layer[l]);
    omp_destroy_lock(&b.writer);
    omp_destroy_lock(&b.readers_lock);
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return b.loss < 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
