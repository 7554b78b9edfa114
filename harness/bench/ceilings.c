/* What this machine's memory gives: a copy's bytes a second, and a load's time over what it reads
 * from. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/error.h"
#include "common/random.h"
#include "harness/bench/internal.h"

#define COPY_BYTES ((size_t)96 << 20) /* of each buffer: past every cache that a core has */
#define COPY_TURNS 5
#define CHASE      (1 << 17) /* loads timed */

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

double ceiling_copy(int threads, bool quick)
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

/* One pointer a line of 64 bytes, all in one circle of random order. */
struct line {
    struct line *next;
    char rest[56];
};

double ceiling_latency(size_t kib)
{
    const size_t n = kib * 1024 / sizeof(struct line);
    struct line *lines = hpc_calloc(n, sizeof *lines);
    int *order = hpc_malloc(n * sizeof *order);
    struct hpc_random r;
    hpc_random_init(&r, 1, kib);
    hpc_random_permutation(&r, order, (int)n);
    for (size_t i = 0; i < n; i++)
        lines[order[i]].next = &lines[order[(i + 1) % n]];
    struct line *volatile end = lines;
    double best = 1e9;
    for (int turn = 0; turn < 3; turn++) {
        struct line *at = end;
        const double from = clock_now();
        for (int i = 0; i < CHASE; i++)
            at = at->next;
        const double seconds = clock_now() - from;
        end = at;
        best = seconds < best ? seconds : best;
    }
    free(order);
    free(lines);
    return 1e9 * best / CHASE;
}
