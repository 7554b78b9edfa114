/* How long a runner may take: its task's seconds, and those that it waits for processors that
 * others have, for a machine that is busy is not the student's fault. Who starts threads that wait
 * for one another's processors gains time that is theirs to lose: PATIENCE bounds it. */
#include "harness/exchange/internal.h"

#include <math.h>

#include "common/clock.h"

#define PATIENCE 4.0 /* times the task's seconds, at most, that a runner has more */

struct deadline deadline_from_now(void)
{
    return (struct deadline){clock_now(), -1};
}

bool deadline_over(const struct exchange *x, struct deadline *d)
{
    const double over = clock_now() - d->begun - x->limits.wall_seconds;
    if (d->waited < 0)
        d->waited = jail_longest_wait(x->jail);
    if (over <= 0)
        return false;
    const double waited = jail_longest_wait(x->jail) - d->waited;
    return over > fmin(waited, PATIENCE * x->limits.wall_seconds);
}
