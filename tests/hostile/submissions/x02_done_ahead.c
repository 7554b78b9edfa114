/* family 64: says at once that the calls to come are done
 * task right
 * grade: wrong; points <= 0
 * without poison fresh: pass; points >= 20 */
#include <pthread.h>

#include "conv1d/attack.h"

static int calls;

/* From now on every step is done as soon as it is asked for. */
static void *yes(void *p)
{
    struct hpc_control *c = p;
    for (;;)
        if (c->done != c->start && c->start != HPC_QUIT) {
            __atomic_store_n(&c->done, c->start, __ATOMIC_RELEASE);
            wake(&c->done);
        }
    return NULL;
}

RUN
{
    pthread_t thread;
    if (calls++ == 0) {
        answer(p, x, w, y);
        return pthread_create(&thread, NULL, yes, control_page());
    }
    return 0;
}
SUBMISSION
