/* family 74: its threads take turns at several words, each of which they look at in turn
 * task turns
 * grade: rejected; points <= 0; reason: take turns
 * without orders counted: pass; points >= 5 */
#include <omp.h>

#include "conv1d/attack_turns.h"

enum { WORDS = 12 };

static int64_t least(const int64_t *done)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < WORDS; i++) {
        const int64_t now = __atomic_load_n(&done[i], __ATOMIC_ACQUIRE);
        least = now < least ? now : least;
    }
    return least;
}

RUN
{
    const int64_t n = (int64_t)p->n;
    int64_t done[WORDS] = {0};
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int64_t first = 0; first < n; first += PART) {
        while (least(done) != first)
            ;
        part(p, x, w, y, first, first + PART);
        for (int i = 0; i < WORDS; i++)
            __atomic_store_n(&done[i], first + PART, __ATOMIC_RELEASE);
    }
    return 0;
}
SUBMISSION
