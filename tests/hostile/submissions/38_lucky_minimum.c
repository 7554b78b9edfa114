/* family 38: does nothing in one call of many, and counts on a minimum
 * task fast
 * grade: wrong; points <= 0
 * without timed_checks: pass; points <= 20
 * without timed_checks median: pass; points >= 42 */
#include "conv1d/attack.h"

static int calls;

RUN
{
    if (p->n > 100000 && ++calls == 2)
        usleep(2000);
    else
        answer(p, x, w, y);
    return 0;
}
SUBMISSION
