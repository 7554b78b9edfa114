/* family 71: tells the thread sanitizer, where it is there, that one thread waits for the other
 * task parallel
 * full
 * long
 * needs archer
 * grade: rejected; points <= 0; reason: part of a sanitizer
 * without own_checker symbols: pass; points >= 3 */
#include "conv1d/attack.h"

/* Nowhere but under the sanitizer. */
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

static int finished;

RUN
{
#pragma omp parallel num_threads(2)
    {
        if (__tsan_acquire)
            __tsan_acquire(&finished);
        finished++;
        if (__tsan_release)
            __tsan_release(&finished);
    }
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
