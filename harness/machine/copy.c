/* What this machine's memory gives to copies. */
#include "harness/machine/copy.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/error.h"

#define COPY_BYTES ((size_t)96 << 20) /* of each buffer: past every cache that a core has */
#define COPY_TURNS 5
/* Of the longest copy's time all must have copied at once, for each to have its share. */
#define TOGETHER 0.8

struct copier {
    char *from, *to;
    size_t bytes;
    pthread_barrier_t *meet;
    int turns;
    struct copy_span *spans; /* of its turns */
};

static void *copy(void *data)
{
    const struct copier *c = data;
    for (int i = 0; i < c->turns; i++) {
        pthread_barrier_wait(c->meet);
        const double start = clock_now();
        memcpy(c->to, c->from, c->bytes);
        c->spans[i] = (struct copy_span){start, clock_now()};
    }
    return NULL;
}

double copy_turn_rate(const struct copy_span *spans, int n, double bytes)
{
    double all = 0, first = spans[0].start, last = spans[0].end, longest = 0;
    double both_start = spans[0].start, both_end = spans[0].end;
    for (int i = 0; i < n; i++) {
        const double seconds = fmax(spans[i].end - spans[i].start, 1e-9);
        all += bytes / seconds;
        longest = fmax(longest, seconds);
        first = fmin(first, spans[i].start);
        last = fmax(last, spans[i].end);
        both_start = fmax(both_start, spans[i].start);
        both_end = fmin(both_end, spans[i].end);
    }
    return both_end - both_start >= TOGETHER * longest ? all : n * bytes / fmax(last - first, 1e-9);
}

double copy_rate(int threads, bool quick)
{
    const size_t each = COPY_BYTES / (size_t)threads / (quick ? 2 : 1);
    const int turns = quick ? 3 : COPY_TURNS;
    struct copier *c = hpc_calloc((size_t)threads, sizeof *c);
    pthread_t *id = hpc_calloc((size_t)threads, sizeof *id);
    struct copy_span *spans = hpc_calloc((size_t)(threads * (turns + 1)), sizeof *spans);
    struct copy_span *turn = &spans[threads * turns];
    pthread_barrier_t meet;
    double best = 0;
    pthread_barrier_init(&meet, NULL, (unsigned)threads);
    for (int i = 0; i < threads; i++) {
        c[i] = (struct copier){hpc_malloc(each), hpc_malloc(each), each, &meet, turns,
                               &spans[i * turns]};
        memset(c[i].from, i + 1, each); /* so that the pages are there */
        memset(c[i].to, 0, each);
        HPC_ASSERT(pthread_create(&id[i], NULL, copy, &c[i]) == 0);
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(id[i], NULL);
        free(c[i].from);
        free(c[i].to);
    }
    for (int k = 0; k < turns; k++) {
        for (int i = 0; i < threads; i++)
            turn[i] = c[i].spans[k];
        best = fmax(best, copy_turn_rate(turn, threads, 2 * (double)each));
    }
    pthread_barrier_destroy(&meet);
    free(spans);
    free(id);
    free(c);
    return best;
}
