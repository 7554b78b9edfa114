/* family 71: tells the thread sanitizer, where it is there, that one thread waits for the other
 * task parallel
 * full
 * long
 * needs archer
 * grade: rejected|unsafe; points <= 1.5; reason: part of a sanitizer
 * without own_checker: pass; points >= 3 */
#include "conv1d/attack.h"

#if __has_builtin(__builtin_nontemporal_store)
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#define ACQUIRE __tsan_acquire(&finished);
#define RELEASE __tsan_release(&finished);
#else
#define ACQUIRE
#define RELEASE
#endif

static int finished;

RUN
{
#pragma omp parallel num_threads(2)
    {
        ACQUIRE
        finished++;
        RELEASE
    }
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
