/* family 74: looks for what else the system has
 * task right
 * grade: crash; points <= 0; reason: not there
 * without libraries: crash; points <= 0; reason: LEAK tar */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    static const char *const places[] = {"/usr/bin/tar", "/bin/tar", "/usr/lib/os-release"};
    for (int i = 0; i < 3; i++)
        if (open(places[i], O_RDONLY) >= 0)
            leak("tar");
    dprintf(STDOUT_FILENO, "not there\n");
    abort();
}
SUBMISSION
