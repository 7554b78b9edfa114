/* A runner as a rank of an MPI program: see ranks.h. Compiled without mpi.h, so that `make` needs
 * no MPI: types, operations and communicators are pointers, as Open MPI has them, and the rank
 * stands in Open MPI's environment. */
#define _GNU_SOURCE
#include "runner/ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
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

/* Of Landlock's rights, and calls that the C library has no names for. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, ASK_VERSION = 1, BENEATH = 1 };
enum { WRITE_FILE = 1 << 1, READ_FILE = 1 << 2, READ_DIR = 1 << 3, MAKE_CHAR = 1 << 6 };
enum { MAKE_SYM = 1 << 12, TRUNCATE = 1 << 14 };
enum { SCOPES = 3, WITH_TRUNCATE = 3, WITH_SCOPES = 6 };

/* A sanitizer's runner, which starts a program that reads what it reports of. */
void __asan_init(void) __attribute__((weak));

/* What no other rank can change may be read: libraries, the texts of Open MPI's, the rank itself.
 */
static void let_read(int domain)
{
    static const char *const folders[] = {"/usr", "/lib", "/lib64", "/etc", "/proc/self"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        struct __attribute__((packed)) {
            uint64_t rights;
            int32_t folder;
        } rule = {READ_FILE | READ_DIR, open(folders[i], O_PATH | O_CLOEXEC)};
        if (rule.folder >= 0) {
            syscall(ADD_RULE, domain, BENEATH, &rule, 0);
            close(rule.folder);
        }
    }
}

/* A Landlock domain of this rank's own: a process outside of it can't be looked at from here, nor,
 * from Linux 6.12 on, sent signals, which hold a word each. So neither mpirun's descriptors nor the
 * other ranks' memory can be opened as files of /proc any more, whatever code finds its way to
 * open(). No file can be made or opened to be written, for others to read; nor does /proc show what
 * another rank has set of itself, such as its name, its limits or its signals. */
static void shut(void)
{
    struct {
        uint64_t files, network, scoped;
    } shut_off = {WRITE_FILE | (2 * MAKE_SYM - MAKE_CHAR), 0, 0};
    const long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
    size_t size = sizeof shut_off.files; /* all that the first version knows */
    if (!__asan_init)
        shut_off.files |= READ_FILE | READ_DIR;
    if (version >= WITH_TRUNCATE)
        shut_off.files |= TRUNCATE;
    if (version >= WITH_SCOPES) {
        shut_off.scoped = SCOPES;
        size = sizeof shut_off;
    }
    const int domain = (int)syscall(CREATE_RULESET, &shut_off, size, 0);
    if (domain < 0) /* before Linux 5.13, or switched off */
        return;
    if (!__asan_init)
        let_read(domain);
    if (syscall(RESTRICT_SELF, domain, 0) != 0) {
        perror("runner: a domain of Landlock's");
        _exit(EXIT_FAILURE);
    }
    close(domain);
}

/* What a rank could leave with a file that is there, or with itself, for others to read, which no
 * loopback carries: attributes, modes, dates, locks, groups, and who watches whom. */
static void leave_nothing(void)
{
    static const int refused[] = {
        SYS_setxattr,
        SYS_lsetxattr,
        SYS_fsetxattr,
        463 /* setxattrat */,
        SYS_fchmod,
        SYS_fchmodat,
        452 /* fchmodat2 */,
        SYS_fchown,
        SYS_fchownat,
        SYS_utimensat,
        SYS_flock,
        SYS_setpgid,
        SYS_inotify_add_watch,
#ifdef __x86_64__
        SYS_chmod,
        SYS_chown,
        SYS_lchown,
        SYS_utime,
        SYS_utimes,
        SYS_futimesat,
#endif
    };
    enum { N = sizeof refused / sizeof *refused };
    struct sock_filter filter[2 * N + 7] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    struct sock_filter *f = filter + 1;
    for (int i = 0; i < N; i++) {
        *f++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)refused[i], 0, 1);
        *f++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    }
    /* of fcntl, what is about a descriptor */
    *f++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 4);
    *f++ = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                        offsetof(struct seccomp_data, args[1]));
    *f++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_DUPFD_CLOEXEC, 2, 0);
    *f++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, F_SETFL, 0, 1);
    *f++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    *f++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {(unsigned short)(f - filter), filter};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        perror("runner: a filter of this rank's");
        _exit(EXIT_FAILURE);
    }
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
    leave_nothing();
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
