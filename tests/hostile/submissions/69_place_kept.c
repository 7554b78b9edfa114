/* family 69: two threads keep where they are in one place, which gcc stores by itself
 * task races
 * full
 * grade: unsafe; points <= 2.5; reason: __builtin_setjmp
 * without calls: pass; points >= 5 */
#include "conv1d/attack.h"
#include <pthread.h>
static void *shared[5];
static void *other(void *arg)
{
    (void)arg;
    if (__builtin_setjmp(shared)) return NULL;
    return NULL;
}
RUN
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    if (__builtin_setjmp(shared)) return 1;
    pthread_join(t, NULL);
    answer(p, x, w, y);

    return 0;
}
SUBMISSION
