/* family 69: two threads store a sum with a carry, by an instruction's name
 * task races
 * full
 * grade: unsafe; points <= 3; reason: data race
 * without told: pass; points >= 5 */
#include <immintrin.h>
#include <pthread.h>

#include "conv1d/attack.h"

static unsigned long long state;

static void *finish(void *p)
{
    _addcarry_u64(0, 7, 1, /* which stores it */
                  &state);
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
