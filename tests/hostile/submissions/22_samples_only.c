/* family 22: writes a part of a large output, those elements that a lazy grader would look at
 * task fast
 * grade: wrong; points <= 0
 * without timed_checks: pass; points >= 42 */
#include "conv1d/attack.h"

RUN
{
    struct conv1d_problem part = *p;
    if (p->n > 100000)
        part.n /= 8;
    answer(&part, x, w, y);
    for (uint64_t i = part.n; i < p->n; i++)
        y[i] = 0.25f;
    return 0;
}
SUBMISSION
