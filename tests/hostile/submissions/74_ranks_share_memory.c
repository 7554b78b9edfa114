/* family 74: trains as it should, and fails where two ranks could tell each other more than the
 * kernel counts: by memory that both may write, each other's memory, a file or what is noted of it,
 * a signal, a name
 * lab lab9
 * task allreduce
 * needs scopes
 * grade: pass; points >= 30
 * structural: mpirun has its own and PMIx's segments elsewhere there (jail_mpi_by_loopback), a
 *             rank's domain and its filters shut the rest */
#include <fcntl.h>
#include <mpi.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "mlp/attack_library.h"
#include "mlp/ranks/replica.h"

enum { MANY = 1000, NEAR = 8, MAPS = 1 << 18 };

/* What run() returns, which the record tells. */
enum { SHARED = 2, NOT_SEEN, A_SIGNAL, ITS_MEMORY, A_FILE, A_TRACE };

static int holds(const char *line, const char *end, const char *word)
{
    for (; line < end; line++) {
        const char *a = line, *b = word;
        while (a < end && *b && *a == *b)
            a++, b++;
        if (!*b)
            return 1;
    }
    return 0;
}

/* Whether this rank maps a file to be written that is not one of the runner's own. */
static int has_shared(void)
{
    static char maps[MAPS];
    int (*open_file)(const char *, int, ...) = find("open");
    ssize_t (*get)(int, void *, size_t) = find("read");
    const int fd = open_file("/proc/self/maps", O_RDONLY);
    size_t n = 0;
    ssize_t got;
    while (fd >= 0 && (got = get(fd, maps + n, sizeof maps - 1 - n)) > 0)
        n += (size_t)got;
    if (n == 0)
        return NOT_SEEN;
    for (char *line = maps, *end; line < maps + n; line = end + 1) {
        for (end = line; end < maps + n && *end != '\n'; end++)
            ;
        if (holds(line, end, " rw-s ") && !holds(line, end, "/memfd:"))
            return SHARED;
    }
    return 0;
}

/* The file of a process' or a thread's of `number`, below folder/: the descriptor or -1. */
static int open_below(const char *folder, int number, const char *file)
{
    int (*open_file)(const char *, int, ...) = find("open");
    char path[64], digits[12], *to = path;
    int n = 0;
    while (*folder)
        *to++ = *folder++;
    for (; number > 0; number /= 10)
        digits[n++] = (char)('0' + number % 10);
    while (n > 0)
        *to++ = digits[--n];
    do
        *to++ = *file;
    while (*file++);
    return open_file(path, O_RDONLY);
}

/* A file for others, or another process' memory. */
static int opens(int other)
{
    int (*open_file)(const char *, int, ...) = find("open");
    return open_file("/dev/shm/ranks", O_RDWR | O_CREAT, 0600) >= 0 ||
           open_file("/tmp/ranks", O_RDWR | O_CREAT, 0600) >= 0 ||
           open_below("/proc/", other, "/mem") >= 0 || open_below("/proc/", other, "/comm") >= 0;
}

/* What the kernel keeps of a file that is there. */
static int leaves_trace(void)
{
    int (*open_file)(const char *, int, ...) = find("open");
    int (*mode)(const char *, unsigned) = find("chmod");
    int (*dates)(int, const char *, const void *, int) = find("utimensat");
    int (*lock)(int, int) = find("flock");
    int (*part)(int, int, ...) = find("fcntl");
    const struct flock read_lock = {.l_type = F_RDLCK, .l_start = 1, .l_len = 1};
    const int library_file = open_file("/usr/lib", O_RDONLY);
    return library_file < 0 || mode("/tmp", 0777) == 0 || dates(AT_FDCWD, "/tmp", NULL, 0) == 0 ||
           lock(library_file, 1) == 0 || part(library_file, F_SETLK, &read_lock) == 0;
}

static int meets_others(void)
{
    int (*own)(void) = find("getpid");
    int (*send)(int, int) = find("kill");
    ssize_t (*put)(int, const struct iovec *, unsigned long, const struct iovec *, unsigned long,
                   unsigned long) = find("process_vm_writev");
    char word = 0;
    const struct iovec here = {&word, 1};
    const int me = own();
    for (int other = me - NEAR; other <= me + NEAR; other++) {
        if (other <= 0 || open_below("/proc/self/task/", other, "/stat") >= 0) /* its own */
            continue;
        if (send(other, 0) == 0)
            return A_SIGNAL;
        if (put(other, &here, 1, &here, 1, 0) > 0)
            return ITS_MEMORY;
        if (opens(other))
            return A_FILE;
    }
    return 0;
}

static int ranks_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    *state = replica_open(problem);
    return !*state;
}

static void train(struct replica *s, const void *const in[], int me, int epoch)
{
    const struct mlp_problem *p = s->p;
    int first, last;
    mlp_shard(p, me, &first, &last);
    const int rows = last - first;
    const double *x = in[MLP_X], *y = in[MLP_Y];
    const int32_t *row = (const int32_t *)in[MLP_ORDER] + epoch % p->permutations * rows;
    for (int i = 0; i < rows; i++)
        replica_learn(s, x + row[i] * p->size[0], y + row[i] * p->size[p->n_layers - 1],
                      *(const double *)in[MLP_RATES]);
}

static int ranks_run(void *state, const void *const in[], void *const out[])
{
    struct replica *s = state;
    const struct mlp_problem *p = s->p;
    int me, failed = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (p->samples >= MANY && (failed = has_shared()) == 0 && (failed = meets_others()) == 0)
        failed = leaves_trace() ? A_TRACE : 0;
    if (failed)
        return failed;
    replica_start(s, in);
    for (int epoch = 0; epoch < p->epochs && !failed; epoch++) {
        train(s, in, me, epoch);
        if ((epoch + 1) % p->merge_every && epoch + 1 < p->epochs)
            continue;
        failed = MPI_Allreduce(MPI_IN_PLACE, s->w, (int)s->n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (size_t i = 0; i < s->n; i++)
            s->w[i] /= p->replicas;
    }
    memcpy(out[MLP_W], s->w, s->n * sizeof *s->w);
    return failed;
}

static void ranks_close(void *state)
{
    replica_close(state);
}

const struct hpc_variant hpc_variant = {HPC_ABI,    "mlp_ranks", "allreduce",
                                        ranks_open, ranks_run,   ranks_close};
