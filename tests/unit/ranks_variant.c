/* A variant of mlp_ranks for test_ranks.c, which compiles it: right for a net of one layer with
 * identity, or with another ATTACK than "none" an attack by the last rank. It calls whatever it
 * likes: here nobody looks at symbols. */
#define _GNU_SOURCE
#include <mpi.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mlp/mlp.h"

static int attack_is(const char *name)
{
    return strcmp(ATTACK, name) == 0;
}

static void learn(const struct mlp_problem *p, double *w, const double *x, const double *y,
                  double rate)
{
    const int n_in = p->size[0], n_out = p->size[1];
    for (int k = 0; k < n_out; k++) {
        double o = w[k];
        for (int i = 0; i < n_in; i++)
            o += x[i] * w[(1 + i) * n_out + k];
        const double d = y[k] - o;
        w[k] += rate * d;
        for (int i = 0; i < n_in; i++)
            w[(1 + i) * n_out + k] += rate * d * x[i];
    }
}

/* All epochs into w, merged after each one. */
static void train(const struct mlp_problem *p, int me, const void *const in[], double *w)
{
    const double *x = in[MLP_X], *y = in[MLP_Y], rate = *(const double *)in[MLP_RATES];
    const int n = (int)mlp_weights(p);
    int first, last;
    mlp_shard(p, me, &first, &last);
    memcpy(w, in[MLP_W0], (size_t)n * sizeof *w);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        const int32_t *order = in[MLP_ORDER];
        order += epoch % p->permutations * (last - first);
        for (int i = 0; i < last - first; i++)
            learn(p, w, x + order[i] * p->size[0], y + order[i] * p->size[1], rate);
        if (attack_is("alone"))
            continue;
        MPI_Allreduce(MPI_IN_PLACE, w, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < n; i++)
            w[i] /= p->replicas;
    }
}

/* The control page, by mpirun's descriptors; or NULL. */
static struct hpc_control *steal(void)
{
    char path[300], target[300];
    snprintf(path, sizeof path, "/proc/%d/fd", (int)getppid());
    DIR *folder = opendir(path);
    for (struct dirent *e; folder && (e = readdir(folder)) != NULL;) {
        snprintf(path, sizeof path, "/proc/%d/fd/%.20s", (int)getppid(), e->d_name);
        const ssize_t n = readlink(path, target, sizeof target - 1);
        target[n > 0 ? n : 0] = '\0';
        if (!strstr(target, "hpc-control"))
            continue;
        int fd = open(path, O_RDWR);
        void *p = mmap(NULL, HPC_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        return p == MAP_FAILED ? NULL : p;
    }
    return NULL;
}

/* The page by which this rank is called: of its mappings of that memory the one that lies first. */
static char *own_page(void)
{
    char line[400];
    unsigned long from = 0, at, offset, least = ~0ul;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        if (strstr(line, "hpc-control") && sscanf(line, "%lx-%*x %*s %lx", &at, &offset) == 2 &&
            offset < least) {
            from = at;
            least = offset;
        }
    return (char *)from;
}

/* Whether what rank 0 writes behind all that the page holds comes to the others by it. */
static int told_by_page(int me)
{
    char *page = own_page(), *mark = page + HPC_PAGE - 8;
    if (!page)
        return 0;
    if (me == 0)
        memcpy(mark, "samples", 8);
    MPI_Barrier(MPI_COMM_WORLD);
    return memcmp(mark, "samples", 8) == 0;
}

/* Whether what is mapped of the inputs can be had with all that lies behind it. */
static int grow(const void *input)
{
    void *page = (void *)((uintptr_t)input & ~(uintptr_t)(HPC_PAGE - 1));
    return mremap(page, HPC_PAGE, 4 * HPC_PAGE, MREMAP_MAYMOVE) != MAP_FAILED;
}

/* All samples come to rank 0. */
static void hoard(const struct mlp_problem *p, int me, const void *x)
{
    for (int r = 1; r < p->replicas; r++) {
        int first, last;
        mlp_shard(p, r, &first, &last);
        const int n = (last - first) * p->size[0];
        double *its = me == 0 ? malloc((size_t)n * sizeof *its) : NULL;
        if (me == 0)
            MPI_Recv(its, n, MPI_DOUBLE, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else if (me == r)
            MPI_Send(x, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        free(its);
    }
}

/* How many of the other processes' memories can be opened. */
static int neighbours(void)
{
    char path[300];
    int n = 0;
    DIR *folder = opendir("/proc");
    for (struct dirent *e; folder && (e = readdir(folder)) != NULL;) {
        snprintf(path, sizeof path, "/proc/%.20s/mem", e->d_name);
        const int other = atoi(e->d_name);
        n += other > 0 && other != getpid() && open(path, O_RDONLY) >= 0;
    }
    return n;
}

/* Say that all have done, before anybody has, and do nothing more until the parent has looked. Zero
 * where that can't be said. */
static int forge(void)
{
    struct hpc_control *c = steal();
    if (!c)
        return 0;
    __atomic_store_n(&c->done, c->start, __ATOMIC_RELEASE);
    while (__atomic_load_n(&c->start, __ATOMIC_ACQUIRE) != HPC_QUIT)
        usleep(1000);
    _exit(0);
}

struct state {
    const struct mlp_problem *p;
    double w[100];
};

static int ranks_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    struct state *s = calloc(1, sizeof *s);
    if (!s)
        return 1;
    s->p = problem;
    *state = s;
    return 0;
}

static int ranks_run(void *state, const void *const in[], void *const out[])
{
    struct state *s = state;
    const size_t bytes = mlp_weights(s->p) * sizeof *s->w;
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    const int last = me == s->p->replicas - 1;
    if (attack_is("forge") && last && !forge())
        return 6;
    if (attack_is("neighbours") && last && !neighbours())
        return 7;
    if (attack_is("page") && !told_by_page(me) && me > 0)
        return 8;
    if (attack_is("grow") && last && !grow(in[MLP_X]))
        return 9;
    if (attack_is("hoard"))
        hoard(s->p, me, in[MLP_X]);
    if (attack_is("exit") && last)
        _exit(0);
    train(s->p, me, in, s->w);
    if (attack_is("refuse") && last)
        return 5;
    if (attack_is("garbage") && last)
        s->w[0] += 1e-6;
    if (!attack_is("silent") || !last)
        memcpy(out[MLP_W], s->w, bytes);
    if (attack_is("behind") && last)
        ((volatile char *)out[MLP_W])[HPC_PAGE] = 1;
    return 0;
}

static void ranks_close(void *state)
{
    free(state);
    if (attack_is("crash"))
        abort();
}

const struct hpc_variant hpc_variant = {HPC_ABI,    "mlp_ranks", "attack",
                                        ranks_open, ranks_run,   ranks_close};
