/* What a call takes of the processors, and how long it has to wait for them. */
#include "harness/exchange/internal.h"
#include "harness/machine/busy.h"

struct spent spent_before(struct exchange *x)
{
    return (struct spent){.cpu = jail_cpu_seconds(x->jail),
                          .runner_waited = jail_waited_seconds(x->jail),
                          .parent_waited = busy_waited(0)};
}

/* The kernel counts the time of a thread that runs by its ticks; of one that is stopped it knows
 * all. */
void spent_since(struct exchange *x, const struct spent *before, struct exchange_call *result)
{
    if (x->alone)
        jail_hold(x->jail);
    const struct spent now = spent_before(x);
    if (x->alone)
        jail_release(x->jail);
    result->cpu_seconds = now.cpu - before->cpu;
    result->waited_seconds = -1;
    if (x->alone && before->runner_waited >= 0 && now.runner_waited >= before->runner_waited)
        result->waited_seconds =
            now.runner_waited - before->runner_waited + now.parent_waited - before->parent_waited;
}
