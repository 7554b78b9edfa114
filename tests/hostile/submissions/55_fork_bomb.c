/* family 55: a fork bomb, of bounded size here
 * task right
 * grade: wrong; points <= 0
 * without filter: rejected|wrong; points <= 0
 * without filter processes: crash; reason: LEAK */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    int born = 0;
    zeros(p, y);
    for (int i = 0; i < 150; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            usleep(400000);
            _exit(0);
        }
        born += pid > 0;
    }
    usleep(50000);
    if (born >= 100)
        leak("a hundred processes");
    return 0;
}
SUBMISSION
