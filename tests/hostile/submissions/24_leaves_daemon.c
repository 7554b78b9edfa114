/* family 24: leaves a process behind
 * task right
 * long
 * grade: wrong; points <= 0
 * without filter: wrong; points <= 0
 * without filter walls: wrong; effect: process */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    zeros(p, y);
    if (fork() == 0) {
        setsid();
        for (int fd = 0; fd < 64; fd++)
            close(fd);
        sleep(20);
        _exit(0);
    }
    usleep(100000);
    return 0;
}
SUBMISSION
