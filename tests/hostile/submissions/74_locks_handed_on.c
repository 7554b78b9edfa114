/* family 74: its threads take turns at three locks, no two parts in a row under the same one
 * task turns
 * grade: rejected; points <= 0; reason: take turns
 * without threads_used: pass; points >= 5 */
#include <omp.h>

#include "conv1d/attack_turns.h"

/* Who works has the lock of its part, and the other waits for that with the next one's. */
static void every_other(const struct conv1d_problem *p, const float *x, const float *w, float *y,
                        omp_lock_t *lock, int me)
{
    for (int i = me; (int64_t)i * PART < (int64_t)p->n; i += 2) {
        if (i > 0) {
            omp_set_lock(&lock[i % 3]);
            omp_set_lock(&lock[(i + 2) % 3]);
            omp_unset_lock(&lock[(i + 2) % 3]);
        }
        part(p, x, w, y, (int64_t)i * PART, (int64_t)(i + 1) * PART);
        omp_unset_lock(&lock[i % 3]);
    }
}

RUN
{
    omp_lock_t lock[3];
    for (int i = 0; i < 3; i++)
        omp_init_lock(&lock[i]);
#pragma omp parallel num_threads(2)
    {
        const int me = omp_get_thread_num();
        if (me == 0)
            omp_set_lock(&lock[0]);
#pragma omp barrier
        every_other(p, x, w, y, lock, me);
    }
    for (int i = 0; i < 3; i++)
        omp_destroy_lock(&lock[i]);
    return 0;
}
SUBMISSION
