/* family 69: another name for a variable, by a pragma
 * task races
 * full
 * grade: rejected|unsafe; points <= 3; reason: redefine_extname
 * without one_name: pass; points >= 5 */
#include <pthread.h>

#include "conv1d/attack.h"

int finished;
#pragma redefine_extname seen finished
extern const int seen;

static void *watch(void *p)
{
    if (seen > 1) /* while the other thread writes it */
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
