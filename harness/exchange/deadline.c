/* How long a runner may take: its task's seconds, and those that it waits for processors that
 * others have, for a machine that is busy is not the student's fault. Threads that meet at barriers
 * wait in turn, one for a processor and all others for that one: so the waits of all count, not the
 * longest of them. Who starts threads that wait for one another's processors gains time that is
 * theirs to lose: PATIENCE bounds it. */
#include "harness/exchange/internal.h"

#include <math.h>

#include "common/clock.h"

#define PATIENCE 4.0 /* times the task's seconds, at most, that a runner has more */

struct deadline deadline_from_now(void)
{
    return (struct deadline){clock_now(), -1, 0};
}

bool deadline_over(const struct exchange *x, struct deadline *d)
{
    const double over = clock_now() - d->begun - x->limits.wall_seconds;
    const double waits = jail_all_waits(x->jail); /* fewer where a thread has ended */
    if (d->at_last >= 0)
        d->waited += fmax(0, waits - d->at_last);
    d->at_last = waits;
    return over > 0 && over > fmin(d->waited, PATIENCE * x->limits.wall_seconds);
}
