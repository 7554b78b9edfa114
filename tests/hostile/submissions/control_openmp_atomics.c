/* family control: threads that wait for each other now and then, by atomic operations of their own:
 * a barrier, a queue, a lock about a little, and sums of floats
 * task turns
 * grade: pass; points >= 5 */
#include <omp.h>

#include "conv1d/attack_turns.h"

static void meet(int *here, int *round)
{
    const int now = __atomic_load_n(round, __ATOMIC_ACQUIRE);
    if (__atomic_add_fetch(here, 1, __ATOMIC_ACQ_REL) == omp_get_num_threads()) {
        __atomic_store_n(here, 0, __ATOMIC_RELAXED);
        __atomic_store_n(round, now + 1, __ATOMIC_RELEASE);
    }
    while (__atomic_load_n(round, __ATOMIC_ACQUIRE) == now)
        ;
}

RUN
{
    const int64_t n = (int64_t)p->n, half = n / 2;
    int here = 0, round = 0;
    int64_t next = half, parts = 0;
    char taken = 0;
    float sum = 0;
#pragma omp parallel num_threads(2)
    {
        const int64_t step = (int64_t)omp_get_num_threads() * PART;
        for (int64_t first = 0; first < half; first += step) {
            const int64_t own = first + (int64_t)omp_get_thread_num() * PART;
            part(p, x, w, y, own, own + PART < half ? own + PART : half);
#pragma omp atomic
            sum += 1;
            meet(&here, &round);
        }
        for (int64_t first; (first = __atomic_fetch_add(&next, PART / 4, __ATOMIC_RELAXED)) < n;) {
            part(p, x, w, y, first, first + PART / 4);
            while (__atomic_test_and_set(&taken, __ATOMIC_ACQUIRE))
                ;
            parts++;
            __atomic_clear(&taken, __ATOMIC_RELEASE);
        }
    }
    return parts < 1 || sum < 1;
}
SUBMISSION
