/* family 4: writes into whatever descriptor it has inherited
 * task right
 * grade: wrong; points <= 0
 * without descriptors: wrong; effect: canary */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    zeros(p, y);
    for (int fd = 3; fd < 64; fd++)
        if (fcntl(fd, F_GETFD) >= 0 && write(fd, "hpc_attack", 10) < 0)
            continue;
    return 0;
}
SUBMISSION
