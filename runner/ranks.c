/* A runner as a rank of an MPI program: see ranks.h. Compiled without mpi.h, so that `make` needs
 * no MPI: of what it calls all implementations have the same declarations, and the rank stands in
 * Open MPI's environment. */
#define _GNU_SOURCE
#include "runner/ranks.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int MPI_Init(int *argc, char ***argv);
int MPI_Finalize(void);

/* The parent's descriptor, as one of this process. */
static int descriptor(int parents, int flags)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getppid(), parents);
    int fd = open(path, flags | O_CLOEXEC);
    if (fd < 0) {
        perror("runner: the memory that mpirun has");
        _exit(EXIT_FAILURE);
    }
    return fd;
}

/* A Landlock domain of this rank's own: a process outside of it can't be looked at from here, so
 * neither mpirun's descriptors nor the other ranks' memory can be opened as files of /proc any
 * more, whatever code finds its way to open(). Of files it withholds one right alone, that nobody
 * uses. */
static void shut(void)
{
    enum { CREATE_RULESET = 444, RESTRICT_SELF = 446 };
    const uint64_t block_devices = 1ull << 11;
    const int domain = (int)syscall(CREATE_RULESET, &block_devices, sizeof block_devices, 0);
    if (domain < 0) /* before Linux 5.13, or switched off */
        return;
    if (syscall(RESTRICT_SELF, domain, 0) != 0) {
        perror("runner: a domain of Landlock's");
        _exit(EXIT_FAILURE);
    }
    close(domain);
}

static uint32_t begin(int *input, int *control)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (!rank) {
        fprintf(stderr, "runner: no rank of Open MPI's (started by mpirun in hpclab's jail)\n");
        _exit(2);
    }
    *input = descriptor(*input, O_RDONLY);
    *control = descriptor(*control, O_RDWR);
    MPI_Init(NULL, NULL);
    shut();
    return (uint32_t)atoi(rank);
}

static void end(void)
{
    MPI_Finalize();
}

const struct runner_ranks runner_ranks = {begin, end};
