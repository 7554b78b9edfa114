/* Whether threads of the runner go on when run() has returned, for a verdict's words alone. */
#define _GNU_SOURCE
#include <time.h>

#include "harness/exchange/internal.h"

#define THREADS 64
#define LINGER  0.2 /* seconds, many times what a case's call takes */

static int threads_of(struct exchange *x, struct jail_thread threads[THREADS])
{
    jail_hold(x->jail);
    const int n = jail_threads(x->jail, threads, THREADS);
    jail_release(x->jail);
    return n;
}

int exchange_linger(struct exchange *x)
{
    struct jail_thread before[THREADS], after[THREADS];
    const struct timespec pause = {0, (long)(LINGER * 1e9)};
    const int n = threads_of(x, before);
    nanosleep(&pause, NULL);
    const int left = threads_of(x, after);
    int ended = 0;
    for (int i = 0; i < n && left > 0; i++) {
        int k = 0;
        while (k < left && after[k].id != before[i].id)
            k++;
        ended += k == left;
    }
    return ended;
}
