/* family 61: system calls by io_uring
 * task right
 * grade: wrong; points <= 0
 * without filter: crash; reason: LEAK */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    char parameters[256] = {0};
    zeros(p, y);
    if (syscall(425 /* io_uring_setup */, 1, parameters) >= 0)
        leak("a ring");
    return 0;
}
SUBMISSION
