/* family 10: truncates the shared memory under the grader, from a constructor that has its descriptor
 * task right
 * grade: rejected; reason: .init_array
 * without sections: crash|wrong; points <= 0
 * without sections seals: killed */
#include "conv1d/attack.h"

static int shortened;

__attribute__((constructor)) static void before_main(void)
{
    for (int fd = 3; fd < 32; fd++)
        shortened += ftruncate(fd, 0) == 0;
    if (shortened)
        usleep(300000);
}

RUN
{
    UNUSED;
    zeros(p, y);
    return 0;
}
SUBMISSION
