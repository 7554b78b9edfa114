/* build/lib/jail-inside: the program that bubblewrap starts, which confines itself further and
 * becomes the one that is to run. Started as `jail-inside CONFINE_FD PROGRAM [ARGUMENT ..]`. Not
 * part of build/libhpc.a. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/jail/confine.h"

extern char **environ;

int main(int argc, char **argv)
{
    const struct confine *c = MAP_FAILED;
    int fd = argc > 2 ? atoi(argv[1]) : -1;
    if (fd > 2)
        c = mmap(NULL, sizeof *c, PROT_READ, MAP_PRIVATE, fd, 0);
    if (c == MAP_FAILED) {
        fprintf(stderr, "usage: jail-inside FD PROGRAM .. (started by hpclab)\n");
        return 127;
    }
    close(fd);
    confine_start(c, argv + 2, environ);
}
