/* family 69: a thread copies a list of arguments that another stores, which gcc loads by itself
 * task races
 * full
 * grade: unsafe; points <= 3; reason: data race
 * without told: pass; points >= 5 */
#include <pthread.h>
#include <stdarg.h>

#include "conv1d/attack.h"

static va_list shared;

static void *stores(void *p)
{
    memset(shared, 0, sizeof shared);
    return p;
}

RUN
{
    pthread_t thread;
    va_list own;
    answer(p, x, w, y);
    if (pthread_create(&thread, NULL, stores, y) != 0)
        return 1;
    va_copy(own, shared);
    y[0] += 0 * *(volatile int *)own;
    return pthread_join(thread, NULL);
}
SUBMISSION
