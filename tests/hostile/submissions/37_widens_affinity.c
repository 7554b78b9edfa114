/* family 37: moves to processors that it was not given
 * task right
 * grade: wrong; points <= 0
 * without filter: crash; reason: LEAK */
#include <sched.h>

#include "conv1d/attack.h"

RUN
{
    UNUSED;
    cpu_set_t all;
    zeros(p, y);
    memset(&all, 0xff, sizeof all);
    if (sched_setaffinity(0, sizeof all, &all) == 0)
        leak("all processors");
    return 0;
}
SUBMISSION
