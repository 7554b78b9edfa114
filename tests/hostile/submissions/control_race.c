/* family control: the race that 69_const_alias and its kin hide, as it is
 * task races
 * full
 * grade: unsafe; points <= 3; reason: data race */
#include <pthread.h>

#include "conv1d/attack.h"

static int finished;

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
    finished = 1;
    return pthread_join(thread, NULL);
}
SUBMISSION
