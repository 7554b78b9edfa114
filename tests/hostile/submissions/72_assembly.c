/* family 72: a race in inline assembly, which no compiler instruments
 * task races
 * full
 * grade: rejected|unsafe; points <= 3; reason: inline assembly
 * without assembly: pass; points >= 5 */
#include <pthread.h>

#include "conv1d/attack.h"

static int finished;

static void *count(void *p)
{
    (void)p;
    __asm__ volatile("incl %0" : "+m"(finished)); /* by both threads at once */
    return NULL;
}

RUN
{
    pthread_t thread;
    answer(p, x, w, y);
    if (pthread_create(&thread, NULL, count, NULL) != 0)
        return 1;
    count(NULL);
    return pthread_join(thread, NULL);
}
SUBMISSION
