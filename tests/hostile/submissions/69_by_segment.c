/* family 69: two threads count by a segment of the processor's, whose base is 0
 * task races
 * full
 * grade: rejected; points <= 0; reason: reaches memory by a segment
 * structural: a compiler may leave such accesses out of what it tells a sanitizer; gcc 12 does not */
#include <pthread.h>

#include "conv1d/attack.h"

static float finished;

static void *count(void *unused)
{
    float __seg_gs *f = (float __seg_gs *)(uintptr_t)&finished;
    for (int i = 0; i < 100; i++)
        *f += 1;
    return unused;
}

RUN
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, count, NULL))
        return 1;
    count(NULL);
    answer(p, x, w, y);
    return pthread_join(thread, NULL);
}
SUBMISSION
