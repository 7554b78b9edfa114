/* family 57: makes empty files without end, each a kilobyte of the kernel's, which no limit counts
 * and which the kernel removes while the next one's time is taken
 * task right
 * grade: wrong; points <= 0
 * without no_files: crash; reason: LEAK */
#include "conv1d/attack.h"

#define MANY 5000

RUN
{
    UNUSED;
    char path[64];
    int made = 0;
    zeros(p, y);
    for (int i = 0; i < MANY; i++) {
        snprintf(path, sizeof path, "%s/hpc_attack_%d", i % 2 ? "/tmp" : "/dev/shm", i);
        const int fd = open(path, O_CREAT | O_WRONLY, 0600);
        made += fd >= 0;
        close(fd);
    }
    if (made == MANY)
        leak("files without end");
    return 0;
}
SUBMISSION
