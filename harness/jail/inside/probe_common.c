#include "harness/jail/inside/probe.h"

#include <fcntl.h>
#include <unistd.h>

pid_t grader;
int port;

bool can_open(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0600);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}
