/* family 57: makes timers without end, each half a kilobyte of the kernel's
 * task right
 * grade: wrong; points <= 0
 * without processes: crash; reason: LEAK */
#include <signal.h>
#include <time.h>

#include "conv1d/attack.h"

enum { MANY = 5000 };

RUN
{
    UNUSED;
    int made = 0;
    zeros(p, y);
    for (int i = 0; i < MANY; i++) {
        struct sigevent none = {.sigev_notify = SIGEV_NONE};
        timer_t timer;
        made += timer_create(CLOCK_MONOTONIC, &none, &timer) == 0;
    }
    if (made == MANY)
        leak("timers without end");
    return 0;
}
SUBMISSION
