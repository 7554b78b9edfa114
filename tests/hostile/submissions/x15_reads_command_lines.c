/* family 73: reads what other processes were started with
 * task right
 * grade: wrong; points <= 0
 * without walls: crash; reason: LEAK */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    char path[64], words[300] = "";
    zeros(p, y);
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)getppid());
    int fd = open(path, O_RDONLY);
    ssize_t n = fd >= 0 ? read(fd, words, sizeof words - 1) : 0;
    if (n > 0 && memmem(words, (size_t)n, "grade", 5))
        leak("the grader's command line");
    return 0;
}
SUBMISSION
