/* family 69: two threads store where a function of the C library does, which no sanitizer follows
 * task races
 * full
 * grade: unsafe; points <= 3; reason: calls wmemset(), and the thread sanitizer does not see
 * without followed: pass; points >= 5 */
#include <pthread.h>
#include <wchar.h>

#include "conv1d/attack.h"

static wchar_t state[4];

static void *finish(void *p)
{
    wmemset(state, 1, 4); /* by both threads at once */
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
