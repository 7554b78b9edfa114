#define _GNU_SOURCE
#include "harness/machine/capacity.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/error.h"
#include "harness/machine/pin.h"
#include "common/stats.h"

#define CHUNKS 5
#define LINKS  20000 /* of a chain, 4 cycles each; both take 20 us at 4 GHz */
#define ROUNDS 25000 /* of the loop, 3 cycles each */
#define DECILE 0.9

struct crew {
    atomic_int missing; /* threads that are not there yet */
    atomic_bool off;    /* one of them never comes */
};

struct hand {
    struct crew *crew;
    pthread_t thread;
    int cpu;
    double look; /* of its middle chunk: an interrupt disturbs one at most */
};

/* Each step needs the one before. */
static void chain(void)
{
    uint64_t a = 1, factor = 0x9e3779b97f4a7c15;
    for (int i = 0; i < LINKS; i++) {
        a = a * factor + 1;
        __asm__ volatile("" : "+r"(a), "+r"(factor));
    }
}

/* Six sums that depend on each other loosely: as many operations at a time as a core can start. */
static void loop(void)
{
    uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
    for (uint64_t i = 0; i < ROUNDS; i++) {
        a += i;
        b ^= a >> 3;
        c += i * 5;
        d ^= i;
        e += d;
        f ^= c;
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
    }
}

static void *work(void *argument)
{
    struct hand *h = argument;
    double looks[CHUNKS];
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(h->cpu, &one);
    bool there = sched_setaffinity(0, sizeof one, &one) == 0;
    if (!there)
        atomic_store(&h->crew->off, true);
    atomic_fetch_sub(&h->crew->missing, 1);
    while (atomic_load(&h->crew->missing) > 0 && !atomic_load(&h->crew->off))
        ;
    for (int i = 0; i < CHUNKS && there; i++) {
        double begin = clock_now();
        chain();
        double middle = clock_now();
        loop();
        looks[i] = (middle - begin) / LINKS * ROUNDS / (clock_now() - middle);
    }
    h->look = there ? stats_median(looks, CHUNKS) : 0;
    return NULL;
}

double capacity_look(int threads)
{
    int cpus[CPU_SETSIZE], n = 0;
    if (threads < 1 || threads > CPU_SETSIZE || pin_choose(threads, cpus) < threads)
        return 0;
    struct crew crew = {.missing = threads};
    struct hand *hands = hpc_calloc((size_t)threads, sizeof *hands);
    for (; n < threads; n++) {
        hands[n] = (struct hand){.crew = &crew, .cpu = cpus[n]};
        if (pthread_create(&hands[n].thread, NULL, work, &hands[n]))
            break;
    }
    if (n < threads)
        atomic_store(&crew.off, true);
    double least = 0;
    for (int i = 0; i < n; i++) {
        pthread_join(hands[i].thread, NULL);
        least = i == 0 || hands[i].look < least ? hands[i].look : least;
    }
    free(hands);
    return atomic_load(&crew.off) ? 0 : least;
}

double capacity_quiet(const double *looks, int n)
{
    return stats_quantile(looks, n, DECILE);
}
