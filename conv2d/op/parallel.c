#define _GNU_SOURCE
#include "conv2d/op/parallel.h"

#include <pthread.h>
#include <sched.h>

#define MOST_THREADS 64

struct loop {
    int n, next; /* next: atomic */
    void (*body)(void *arg, int i);
    void *arg;
};

static void *work(void *argument)
{
    struct loop *loop = argument;
    for (int i; (i = __atomic_fetch_add(&loop->next, 1, __ATOMIC_RELAXED)) < loop->n;)
        loop->body(loop->arg, i);
    return NULL;
}

/* Processors that this process may use; 1 where the system does not say. */
static int processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

void parallel_for(int n, void (*body)(void *arg, int i), void *arg)
{
    struct loop loop = {n, 0, body, arg};
    pthread_t thread[MOST_THREADS];
    int wanted = processors(), started = 0;
    wanted = wanted < n ? wanted : n;
    wanted = wanted < MOST_THREADS ? wanted : MOST_THREADS;
    while (started < wanted - 1 && pthread_create(&thread[started], NULL, work, &loop) == 0)
        started++;
    work(&loop);
    while (started > 0)
        pthread_join(thread[--started], NULL);
}
