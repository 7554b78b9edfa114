/* family 57: locks pieces of a file without end, each a quarter of a kilobyte of the kernel's that
 * no limit counts
 * task right
 * grade: wrong; points <= 0
 * without filter: crash; reason: LEAK */
#include "conv1d/attack.h"

enum { MANY = 1000 };

RUN
{
    UNUSED;
    const int fd = open("/dev/null", O_RDWR);
    int taken = 0;
    zeros(p, y);
    for (int i = 0; i < MANY; i++) {
        struct flock one = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 2 * i, .l_len = 1};
        taken += fcntl(fd, F_SETLK, &one) == 0;
    }
    if (taken == MANY)
        leak("locks without end");
    return 0;
}
SUBMISSION
