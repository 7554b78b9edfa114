/* family 69: a copy by the name of gcc's own, which it makes in place, where its thread sanitizer
 * looks at no instruction
 * task races
 * full
 * grade: unsafe; points <= 3; reason: does not see the copy by __builtin_memcpy
 * without calls: pass; points >= 5 */
#include <pthread.h>

#include "conv1d/attack.h"

static long state[5];

static void *finish(void *p)
{
    __builtin_memcpy(state, p, sizeof state); /* by both threads at once */
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
