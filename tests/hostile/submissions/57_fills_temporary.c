/* family 57: fills the temporary folders
 * task right
 * grade: wrong; points <= 0
 * without walls files: crash; reason: LEAK; effect: file */
#include <signal.h>

#include "conv1d/attack.h"

static size_t fill(const char *path)
{
    static char block[1 << 20];
    size_t written = 0;
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    for (int i = 0; fd >= 0 && i < 20; i++)
        written += write(fd, block, sizeof block) == sizeof block ? sizeof block : 0;
    close(fd);
    return written;
}

RUN
{
    UNUSED;
    char path[64];
    size_t written = 0;
    zeros(p, y);
    for (int k = 0; k < 4; k++) {
        snprintf(path, sizeof path, "%s/hpc_attack_%d", k % 2 ? "/tmp" : "/dev/shm", k);
        signal(SIGXFSZ, SIG_IGN);
        written += fill(path);
    }
    if (written >= (size_t)64 << 20)
        leak("64 MiB of files");
    return 0;
}
SUBMISSION
