/* family 69: a thread's name is stored where another stores it, which no sanitizer sees
 * task named
 * full
 * needs archer
 * grade: rejected; points <= 0; reason: pthread_getname_np
 * without symbols followed: pass; points >= 3 */
#include "conv1d/attack.h"
#include <pthread.h>
static char shared[16];
static void *other(void *arg)
{
    (void)arg;
    pthread_setname_np(pthread_self(), "abc"); pthread_getname_np(pthread_self(), shared, 16);
    return NULL;
}
RUN
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    pthread_getname_np(t, shared, 16);
    pthread_join(t, NULL);
    answer(p, x, w, y);

    return 0;
}
SUBMISSION
