/* family 65: starts a program from memory in its own place
 * task right
 * grade: wrong; points <= 0
 * without filter libraries files: crash; reason: LEAK */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    static char program[1 << 18];
    char *const words[] = {"echo", "LEAK another program", NULL}, *const none[] = {NULL};
    int from = open("/usr/bin/echo", O_RDONLY), to = (int)syscall(SYS_memfd_create, "x", 0);
    ssize_t n = read(from, program, sizeof program);
    zeros(p, y);
    if (to >= 0 && n > 0 && write(to, program, (size_t)n) == n)
        syscall(SYS_execveat, to, "", words, none, AT_EMPTY_PATH);
    return 0;
}
SUBMISSION
