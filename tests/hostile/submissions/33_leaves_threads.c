/* family 33: does not end, so that its threads slow the baseline
 * task fast
 * alone
 * grade: timeout; points <= 0; reason: close() did not return
 * without kill: noisy; points <= 10 */
#include <pthread.h>

#include "conv1d/attack.h"

static void *spin(void *p)
{
    for (volatile int i = 0;; i++)
        ;
    return p;
}

RUN
{
    answer(p, x, w, y);
    return 0;
}

static void stay(void *state)
{
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, NULL, spin, NULL);
    spin(state);
}
SUBMISSION_WITH(plain_open, stay)
