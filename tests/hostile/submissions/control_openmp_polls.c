/* family control: a thread that has nothing to do asks in a critical region, again and again, until
 * the one that makes work has made it; then both work
 * task turns
 * grade: pass; points >= 5 */
#include <omp.h>

#include "conv1d/attack_turns.h"

/* The next part that was made and not taken, -1: none yet; n: there will be none. */
static int64_t take(const int64_t *made, int64_t *taken, int64_t n)
{
    int64_t part = -1;
#pragma omp critical
    if (*taken >= n)
        part = n;
    else if (*taken < *made) {
        part = *taken;
        *taken += PART;
    }
    return part;
}

RUN
{
    const int64_t n = (int64_t)p->n;
    int64_t made = 0, taken = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp single nowait
        for (int i = 0; i < 2; i++) {
            float sum = 0;
            for (int64_t k = 0; k < n / 64; k++)
                sum += x[k];
#pragma omp critical
            made = sum == sum ? (i + 1) * n / 2 : n;
        }
        for (int64_t first; (first = take(&made, &taken, n)) < n;)
            if (first >= 0)
                part(p, x, w, y, first, first + PART);
    }
    return 0;
}
SUBMISSION
