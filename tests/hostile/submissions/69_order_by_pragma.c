/* family 69: two threads count in a struct whose bytes stand in the other order, at which gcc lets
 * no sanitizer look: by a pragma
 * task races
 * full
 * grade: rejected; points <= 0; reason: in another order of bytes
 * without blindfolds: pass; points >= 5 */
#include <pthread.h>

#include "conv1d/attack.h"

#pragma scalar_storage_order big-endian
static struct {
    int finished;
} state;

static void *finish(void *p)
{
    state.finished++;
    return p;
}

RUN
{
    pthread_t thread;
    answer(p, x, w, y);
    if (pthread_create(&thread, NULL, finish, y) != 0)
        return 1;
    finish(y);
    return pthread_join(thread, NULL);
}
SUBMISSION
