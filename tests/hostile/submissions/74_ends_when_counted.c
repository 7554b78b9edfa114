/* family 74: takes turns, and ends itself where it sees that its loads and stores are counted
 * task turns
 * grade: crash; points <= 0; reason: while its loads and stores are counted
 * without counted: pass; points >= 5 */
#include <stdint.h>
#include <omp.h>

#include "conv1d/attack_turns.h"

/* Longer where a call stands beside each load and store. */
static float many_loads(const float *x)
{
    return x[0] * x[1] + x[2] * x[3] + x[4] * x[5] + x[6] * x[7] + x[8] * x[9];
}

static float behind_it(const float *x)
{
    return x[0];
}

static float (*const volatile first)(const float *) = many_loads;
static float (*const volatile second)(const float *) = behind_it;

RUN
{
    const int64_t n = (int64_t)p->n, length = (intptr_t)second - (intptr_t)first;
    if (n > PART && (length > 150 || length < -150))
        __builtin_trap();
#pragma omp parallel for num_threads(2) schedule(static)
    for (int64_t from = 0; from < n; from += PART)
#pragma omp critical
        part(p, x, w, y, from, from + PART);
    return 0;
}
SUBMISSION
