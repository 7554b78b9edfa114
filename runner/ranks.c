/* A runner as a rank of an MPI program: see ranks.h. Compiled without mpi.h, so that `make` needs
 * no MPI: types, operations and communicators are pointers, as Open MPI has them, and the rank
 * stands in Open MPI's environment. */
#define _GNU_SOURCE
#include "runner/ranks.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int MPI_Init(int *argc, char ***argv);
int MPI_Error_string(int code, char *text, int *length);
int MPI_Comm_create_errhandler(void (*handler)(void **comm, int *code, ...), void **made);
int MPI_Comm_set_errhandler(void *comm, void *handler);
extern char ompi_mpi_comm_world[]; /* MPI_COMM_WORLD is its address */

extern const char __ehdr_start[]; /* where the program's file is mapped */
static struct hpc_rank *noted;    /* NULL: nobody looks where this rank is */
static int room_for;              /* so many numbers in the call it is in, or was; -1: none */

enum { ANY_SOURCE = -1, NO_RANK = -2 }; /* Open MPI's MPI_ANY_SOURCE and MPI_PROC_NULL */

/* `at`: where the call returns to; `from`: ANY_SOURCE is a rank that a variant gave. */
static void enter(const char *call, int to, int to_tag, int from, int from_tag, int room,
                  const void *at)
{
    room_for = room;
    if (noted) {
        const uint64_t any =
            from == ANY_SOURCE ? (uintptr_t)at - 1 - (uintptr_t)__ehdr_start : noted->any_source;
        *noted = (struct hpc_rank){
            .to = to, .to_tag = to_tag, .from = from, .from_tag = from_tag, .any_source = any};
        strncpy(noted->call, call, sizeof noted->call - 1);
    }
}

static int leave(int error)
{
    if (noted)
        noted->call[0] = '\0';
    return error;
}

/* MPI's calls by which ranks wait for each other stand here under their own names, and ask the
 * library by those that it has for this purpose: PMPI_Send does what MPI_Send does. */
#define WAITS(name, parameters, arguments, to, to_tag, from, from_tag, room)                       \
    int P##name parameters;                                                                        \
    int name parameters;                                                                           \
    int name parameters                                                                            \
    {                                                                                              \
        enter(#name, to, to_tag, from, from_tag, room, __builtin_return_address(0));               \
        return leave(P##name arguments);                                                           \
    }

WAITS(MPI_Finalize, (void), (), -1, -1, NO_RANK, -1, -1)
WAITS(MPI_Barrier, (void *comm), (comm), -1, -1, NO_RANK, -1, -1)
WAITS(MPI_Send, (const void *p, int n, void *type, int to, int tag, void *comm),
      (p, n, type, to, tag, comm), to, tag, NO_RANK, -1, -1)
WAITS(MPI_Ssend, (const void *p, int n, void *type, int to, int tag, void *comm),
      (p, n, type, to, tag, comm), to, tag, NO_RANK, -1, -1)
WAITS(MPI_Recv, (void *p, int n, void *type, int from, int tag, void *comm, void *status),
      (p, n, type, from, tag, comm, status), -1, -1, from, tag, n)
WAITS(MPI_Sendrecv,
      (const void *p, int n, void *type, int to, int tag, void *q, int m, void *its, int from,
       int its_tag, void *comm, void *status),
      (p, n, type, to, tag, q, m, its, from, its_tag, comm, status), to, tag, from, its_tag, m)
WAITS(MPI_Bcast, (void *p, int n, void *type, int root, void *comm), (p, n, type, root, comm), -1,
      -1, NO_RANK, -1, -1)
WAITS(MPI_Reduce, (const void *p, void *q, int n, void *type, void *op, int root, void *comm),
      (p, q, n, type, op, root, comm), -1, -1, NO_RANK, -1, -1)
WAITS(MPI_Allreduce, (const void *p, void *q, int n, void *type, void *op, void *comm),
      (p, q, n, type, op, comm), -1, -1, NO_RANK, -1, -1)
WAITS(MPI_Allgather, (const void *p, int n, void *type, void *q, int m, void *its, void *comm),
      (p, n, type, q, m, its, comm), -1, -1, NO_RANK, -1, -1)

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

/* A Landlock domain of this rank's own: a process outside of it can't be looked at from here, nor,
 * from Linux 6.12 on, sent signals, which hold a word each. So neither mpirun's descriptors nor the
 * other ranks' memory can be opened as files of /proc any more, whatever code finds its way to
 * open(). And no file can be made or opened to be written, for others to read. */
static void shut(void)
{
    enum { CREATE_RULESET = 444, RESTRICT_SELF = 446, ASK_VERSION = 1 };
    enum { WRITE_FILE = 1 << 1, MAKE_CHAR = 1 << 6, MAKE_SYM = 1 << 12, TRUNCATE = 1 << 14 };
    enum { SCOPES = 3, WITH_TRUNCATE = 3, WITH_SCOPES = 6 };
    struct {
        uint64_t files, network, scoped;
    } shut_off = {WRITE_FILE | (2 * MAKE_SYM - MAKE_CHAR), 0, 0};
    const long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
    size_t size = sizeof shut_off.files; /* all that the first version knows */
    if (version >= WITH_TRUNCATE)
        shut_off.files |= TRUNCATE;
    if (version >= WITH_SCOPES) {
        shut_off.scoped = SCOPES;
        size = sizeof shut_off;
    }
    const int domain = (int)syscall(CREATE_RULESET, &shut_off, size, 0);
    if (domain < 0) /* before Linux 5.13, or switched off */
        return;
    if (syscall(RESTRICT_SELF, domain, 0) != 0) {
        perror("runner: a domain of Landlock's");
        _exit(EXIT_FAILURE);
    }
    close(domain);
}

/* mpirun starts nothing more once all ranks are there: a program that a rank has it start
 * (MPI_Comm_spawn) would be in no rank's domain, could read mpirun's descriptors, and write files.
 */
static void end_starting(void)
{
    const struct rlimit none = {0, 0};
    PMPI_Barrier(ompi_mpi_comm_world);
    if (prlimit(getppid(), RLIMIT_NPROC, &none, NULL) != 0) {
        perror("runner: the processes that mpirun may start");
        _exit(EXIT_FAILURE);
    }
}

/* A call that MPI refuses: what Open MPI's own handler prints comes by way of mpirun, which may
 * lose it where all ranks end at once. Open MPI hands the call's name on behind the code. */
static void refused(void **comm, int *code, ...)
{
    enum { MOST = 512 }; /* MPI_MAX_ERROR_STRING is 256 */
    char why[MOST] = "";
    int length;
    va_list more;
    (void)comm;
    va_start(more, code);
    const char *call = va_arg(more, const char *);
    va_end(more);
    MPI_Error_string(*code, why, &length);
    if (noted && room_for >= 0)
        fprintf(stderr, "*** room for %d from rank %d\n", room_for, (int)noted->from);
    fprintf(stderr, "*** An error occurred in %s\n*** %s\n", call ? call : "a call", why);
    fflush(stderr);
    _exit(EXIT_FAILURE);
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
    void *handler;
    MPI_Comm_create_errhandler(refused, &handler);
    MPI_Comm_set_errhandler(ompi_mpi_comm_world, handler);
    end_starting();
    shut();
    return (uint32_t)atoi(rank);
}

static void end(void)
{
    MPI_Finalize();
}

static void note(struct hpc_rank *where)
{
    noted = where;
}

const struct runner_ranks runner_ranks = {begin, note, end};
