/* What this machine's memory gives to copies. */
#include "harness/machine/copy.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/error.h"

#define COPY_BYTES ((size_t)96 << 20) /* of each buffer: past every cache that a core has */
#define COPY_TURNS 5

struct copier {
    char *from, *to;
    size_t bytes;
    pthread_barrier_t *meet;
    int turns;
};

static void *copy(void *data)
{
    const struct copier *c = data;
    for (int i = 0; i < c->turns; i++) {
        pthread_barrier_wait(c->meet);
        memcpy(c->to, c->from, c->bytes);
        pthread_barrier_wait(c->meet);
    }
    return NULL;
}

double copy_rate(int threads, bool quick)
{
    const size_t each = COPY_BYTES / (size_t)threads / (quick ? 2 : 1);
    const int turns = quick ? 3 : COPY_TURNS;
    struct copier *c = hpc_calloc((size_t)threads, sizeof *c);
    pthread_t *id = hpc_calloc((size_t)threads, sizeof *id);
    pthread_barrier_t meet;
    double best = 1e9;
    pthread_barrier_init(&meet, NULL, (unsigned)threads + 1);
    for (int i = 0; i < threads; i++) {
        c[i] = (struct copier){hpc_malloc(each), hpc_malloc(each), each, &meet, turns};
        memset(c[i].from, i + 1, each); /* so that the pages are there */
        memset(c[i].to, 0, each);
        HPC_ASSERT(pthread_create(&id[i], NULL, copy, &c[i]) == 0);
    }
    for (int i = 0; i < turns; i++) {
        pthread_barrier_wait(&meet);
        const double from = clock_now();
        pthread_barrier_wait(&meet);
        const double seconds = clock_now() - from;
        best = seconds < best ? seconds : best;
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(id[i], NULL);
        free(c[i].from);
        free(c[i].to);
    }
    pthread_barrier_destroy(&meet);
    free(id);
    free(c);
    return 2 * (double)each * threads / best;
}
