/* family 75: reads the processor's counters
 * task right
 * grade: wrong; points <= 0
 * without filter: crash; reason: LEAK */
#include <linux/perf_event.h>

#include "conv1d/attack.h"

RUN
{
    UNUSED;
    struct perf_event_attr a = {
        .type = PERF_TYPE_SOFTWARE, .size = sizeof a, .config = PERF_COUNT_SW_TASK_CLOCK};
    zeros(p, y);
    a.exclude_kernel = a.exclude_hv = 1;
    if (syscall(SYS_perf_event_open, &a, 0, -1, -1, 0) >= 0)
        leak("a counter");
    return 0;
}
SUBMISSION
