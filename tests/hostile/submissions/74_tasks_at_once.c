/* family 74: each thread does half of the work while the other waits, in tasks that are done at once
 * task turns
 * grade: rejected; points <= 0; reason: take turns
 * without threads_used: pass; points >= 5 */
#include <omp.h>

#include "conv1d/attack_turns.h"

RUN
{
    const int64_t n = (int64_t)p->n, half = n / 2 / PART * PART;
#pragma omp parallel num_threads(2)
    for (int turn = 0; turn < 2; turn++) {
        const int64_t end = turn ? n : half;
        for (int64_t first = turn ? half : 0; omp_get_thread_num() == turn && first < end; first += PART)
#pragma omp task if (0)
            part(p, x, w, y, first, first + PART < end ? first + PART : end);
#pragma omp barrier
    }
    return 0;
}
SUBMISSION
