/* family 74: has mpirun start a program, which is in no rank's domain: it lists mpirun's descriptors,
 * all ranks' inputs among them, in a file for the ranks to read
 * lab lab9
 * task allreduce
 * needs mpi
 * grade: crash; points <= 0; reason: signal|a sanitizer sees
 * structural: mpirun may start no process once all ranks are there (runner/ranks.c); without that
 *             the file was there, and this ended with exit status 200 */
#include <fcntl.h>
#include <mpi.h>
#include <sys/types.h>

#include "mlp/attack_library.h"
#include "mlp/ranks/replica.h"

enum { SEEN = 200, NO_FILE = 100, WAIT_SECONDS = 3 };

/* A function of the library that `from` is one of. */
static void *find_beside(uintptr_t from, const char *name)
{
    const char *at = (const char *)(from & ~(uintptr_t)4095);
    while (memcmp(at, ELFMAG, SELFMAG) != 0)
        at -= 4096;
    library = (void *)(uintptr_t)at;
    void *found = find(name);
    library = NULL;
    return found;
}

static void start(void)
{
    static char option[] = "-c", list[] = "ls -l /proc/$PPID/fd >/tmp/seen; exec sleep 5";
    static char *words[] = {option, list, NULL};
    const uintptr_t mpi = (uintptr_t)MPI_Comm_rank;
    int (*spawn)(const char *, char **, int, void *, int, void *, void **, int *) =
        find_beside(mpi, "MPI_Comm_spawn");
    void *inter;
    int code;
    spawn("/bin/sh", words, 1, find_beside(mpi, "ompi_mpi_info_null"), 0,
          find_beside(mpi, "ompi_mpi_comm_self"), &inter, &code);
}

static void look(void)
{
    static char text[4096];
    int (*open_file)(const char *, int, ...) = find("open");
    ssize_t (*get)(int, void *, size_t) = find("read");
    unsigned (*wait_for)(unsigned) = find("sleep");
    void (*end)(int) = find("_exit");
    wait_for(WAIT_SECONDS);
    const int fd = open_file("/tmp/seen", O_RDONLY);
    const ssize_t n = fd < 0 ? 0 : get(fd, text, sizeof text);
    for (ssize_t i = 0; i + 5 < n; i++)
        if (memcmp(text + i, "memfd", 5) == 0)
            end(SEEN);
    end(NO_FILE);
}

static int ranks_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    *state = replica_open(problem);
    return !*state;
}

static int ranks_run(void *state, const void *const in[], void *const out[])
{
    struct replica *s = state;
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (s->p->replicas > 1 && me == 0)
        start();
    else if (s->p->replicas > 1)
        look();
    replica_start(s, in);
    for (int epoch = 0; epoch < s->p->epochs; epoch++)
        replica_epoch(s, me, epoch, in);
    memcpy(out[MLP_W], s->w, s->n * sizeof *s->w);
    return 0;
}

static void ranks_close(void *state)
{
    replica_close(state);
}

const struct hpc_variant hpc_variant = {HPC_ABI,    "mlp_ranks", "allreduce",
                                        ranks_open, ranks_run,   ranks_close};
