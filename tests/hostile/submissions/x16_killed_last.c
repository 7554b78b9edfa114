/* family 74: asks the kernel to kill others before it when memory runs out
 * task right
 * grade: wrong; points <= 0
 * without walls: crash; reason: LEAK */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    zeros(p, y);
    int fd = open("/proc/self/oom_score_adj", O_WRONLY);
    if (fd >= 0 && write(fd, "500", 3) == 3)
        leak("its place in the line");
    return 0;
}
SUBMISSION
