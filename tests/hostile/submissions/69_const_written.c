/* family 69: a constant among what can be written: no access of it is looked at
 * task races
 * full
 * grade: rejected|unsafe; points <= 3; reason: (section)
 * without one_name: pass; points >= 5 */
#include <pthread.h>

#include "conv1d/attack.h"

static const int finished __attribute__((section(".data.finished"))) = 0;

static void *watch(void *p)
{
    if (finished > 1) /* while the other thread writes it */
        zeros((const struct conv1d_problem *)p, NULL);
    return NULL;
}

RUN
{
    pthread_t thread;
    answer(p, x, w, y);
    if (pthread_create(&thread, NULL, watch, NULL) != 0)
        return 1;
    *(int *)(uintptr_t)&finished = 1;
    return pthread_join(thread, NULL);
}
SUBMISSION
