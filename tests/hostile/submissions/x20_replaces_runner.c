/* family 77: replaces its own program for the next run
 * task right
 * grade: wrong; points <= 0
 * without walls: wrong; effect: file */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    char path[PATH_MAX + 100];
    zeros(p, y);
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX);
    path[n > 0 ? n : 0] = '\0';
    strcat(path, ".hpc_attack");
    close(open(path, O_CREAT | O_WRONLY, 0755));
    return 0;
}
SUBMISSION
