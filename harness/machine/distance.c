#define _GNU_SOURCE
#include "harness/machine/distance.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "common/clock.h"
#include "harness/machine/pin.h"

#define TRIPS    500 /* in a burst; the shortest of BURSTS counts */
#define BURSTS   12
#define SAME     1.5
#define PATIENCE 1.0 /* seconds until a peer is given up */

struct court {
    _Alignas(128) atomic_int ball; /* the number of the trip, set by the one side */
    _Alignas(128) atomic_int back; /* and by the other */
    atomic_bool ready, over;
    int cpu;
};

static bool go_to(int cpu)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0;
}

static void *peer(void *argument)
{
    struct court *c = argument;
    if (!go_to(c->cpu))
        return NULL;
    atomic_store(&c->ready, true);
    for (int last = 0; !atomic_load_explicit(&c->over, memory_order_relaxed);) {
        int ball = atomic_load_explicit(&c->ball, memory_order_acquire);
        if (ball != last)
            atomic_store_explicit(&c->back, last = ball, memory_order_release);
    }
    return NULL;
}

/* The shortest burst's seconds a trip; 0 where the peer does not answer. */
static double play(struct court *c)
{
    double best = 0, start = clock_now();
    while (!atomic_load(&c->ready))
        if (clock_now() - start > PATIENCE || sched_yield())
            return 0;
    for (int burst = 0, trip = 0; burst < BURSTS; burst++) {
        double begin = clock_now();
        for (int i = 0; i < TRIPS; i++) {
            atomic_store_explicit(&c->ball, ++trip, memory_order_release);
            while (atomic_load_explicit(&c->back, memory_order_acquire) != trip)
                ;
        }
        double seconds = (clock_now() - begin) / TRIPS;
        if (best == 0 || seconds < best)
            best = seconds;
    }
    return best;
}

static double round_trip(int cpu)
{
    struct court c = {.cpu = cpu};
    pthread_t thread;
    if (pthread_create(&thread, NULL, peer, &c))
        return 0;
    double seconds = play(&c);
    atomic_store(&c.over, true);
    pthread_join(thread, NULL);
    return seconds;
}

double distance_ns(int threads)
{
    cpu_set_t ours;
    int cpus[CPU_SETSIZE];
    double most = 0;
    if (threads < 2 || sched_getaffinity(0, sizeof ours, &ours) || threads > CPU_SETSIZE ||
        pin_choose(threads, cpus) < threads)
        return 0;
    bool here = go_to(cpus[0]);
    for (int i = 1; here && i < threads; i++) {
        double seconds = round_trip(cpus[i]);
        most = seconds > most ? seconds : most;
    }
    sched_setaffinity(0, sizeof ours, &ours);
    return 1e9 * most;
}

bool distance_same(double a, double b)
{
    return a > 0 && b > 0 && a < SAME * b && b < SAME * a;
}
