/* family 49: functions in place of the harness's own
 * task right
 * grade: rejected; points <= 0
 * without own_checker localise: crash; reason: LEAK */
#include "conv1d/attack.h"

/* The runner waits and wakes by this. */
long syscall(long number, ...)
{
    (void)number;
    leak("a function of the harness");
    return 0;
}

__attribute__((weak)) int __lsan_do_recoverable_leak_check(void)
{
    return 0;
}

RUN
{
    UNUSED;
    zeros(p, y);
    return 0;
}
SUBMISSION
