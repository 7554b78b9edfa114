/* family 69: two threads have a compare-exchange, each on a variable of its own, store what it found
 * where the other one does
 * task races
 * full
 * grade: unsafe; points <= 3; reason: data race
 * without by_name: pass; points >= 5 */
#include <pthread.h>

#include "conv1d/attack.h"

static int expected;

static void *finish(void *p)
{
    int own = 5;
    __atomic_compare_exchange_n(&own, &expected, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return own == 9 ? NULL : p;
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
