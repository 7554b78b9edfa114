/* family 33: does not end, so that a thread of each of its processes slows the baseline
 * task fast
 * late
 * grade: timeout; points <= 0; reason: close() did not return
 * without kill: pass|noisy; points <= 10 */
#include <pthread.h>

#include "conv1d/attack.h"

static void *spin(void *p)
{
    for (volatile int i = 0;; i++)
        ;
    return p;
}

static int ran; /* a close() before any run() is part of open(), which has to return */

RUN
{
    ran = 1;
    answer(p, x, w, y);
    return 0;
}

/* By the address sanitizer, for a hint: it would wait six times as long. */
static int looked_at(void)
{
    return mapping("runner-address", NULL) != NULL;
}

static void stay(void *state)
{
    pthread_t thread;
    (void)state;
    if (!ran || looked_at())
        return;
    /* One: of two that share a processor each waits, which the deadline waits for. */
    pthread_create(&thread, NULL, spin, NULL);
    pthread_join(thread, NULL);
}
SUBMISSION_WITH(plain_open, stay)
