/* Starting a runner: its environment, its jail, and its control pages, one a rank of an MPI
 * program: what it finds there, and what each says about itself, put together. */
#include "common/clock.h"
#include "common/defence.h"
#include "harness/build/build.h"
#include "harness/exchange/internal.h"
#include "harness/jail/mpi.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Threads of gcc's OpenMP spin some 30 us at a barrier before they sleep, not 5 ms: where another
 * process takes a core, the thread that is waited for gets its turn. Measured with two threads on
 * two cores, 40 barriers: 5.7 ms undisturbed, with either; beside a third busy process 30 ms, with
 * the default 650 ms. */
#define SPIN "GOMP_SPINCOUNT=2000"
/* Where nobody counts the time: 3 us. Spinning was half of what a right solution's cases took of
 * the processors, and of the time beside other processes. Not in a case that is timed elsewhere:
 * who reads the number there learns nothing. */
#define SHORT_SPIN "GOMP_SPINCOUNT=200"

#define LIBRARIES_BYTES 16384 /* of their paths */

#define THREAD_BYTES     (80L << 20) /* address space of one thread: a stack, an arena of malloc */
#define DEVICE_BYTES     ((size_t)2 << 30)   /* of a driver */
#define CPU_DEVICE_BYTES ((size_t)256 << 20) /* of the CPU device itself: stacks of threads */
#define RUNNER_BYTES     (64L << 20)         /* of the program, its libraries, and margins */
#define RANK_BYTES       ((size_t)2 << 30)   /* of a rank that has no limit of its own */

/* What a sanitizer may take, for the address space that it reserves can't be limited. */
#define SANITIZER_FACTOR 6
#define CHECKER_FACTOR   16
#define SANITIZER_BYTES  (512L << 20)

#define QUIET_SHARE 0.95 /* of processors that nothing else keeps busy, which a runner gets */
#define PATIENCE    4.0  /* times the task's seconds, at most, that a runner has more */

/* How long a runner may take: its task's seconds, and those that it waits for processors that
 * others have, for a machine that is busy is not the student's fault. Threads that meet at barriers
 * wait in turn, one for a processor and all others for that one: so the waits of all count, not the
 * longest of them. Threads that wait for one another's processors alone gain nothing: who has used
 * all that a quiet machine has in its seconds has had them. PATIENCE bounds the rest. */
struct deadline deadline_from_now(void)
{
    return (struct deadline){clock_now(), -1, 0, 0};
}

bool deadline_over(const struct exchange *x, struct deadline *d)
{
    const double over = clock_now() - d->begun - x->limits.wall_seconds;
    const double waits = jail_all_waits(x->jail); /* fewer where a thread has ended */
    if (d->at_last >= 0)
        d->waited += fmax(0, waits - d->at_last);
    else
        d->used = jail_cpu_seconds(x->jail);
    d->at_last = waits;
    if (!(over > 0) || over > fmin(d->waited, PATIENCE * x->limits.wall_seconds))
        return over > 0;
    return jail_cpu_seconds(x->jail) - d->used >=
           QUIET_SHARE * (double)sysconf(_SC_NPROCESSORS_ONLN) * x->limits.wall_seconds;
}

int memory_pages(const struct exchange_memory *m)
{
    return m->layout.ranks ? m->layout.ranks : 1;
}

struct hpc_control *memory_page(const struct exchange_memory *m, int k)
{
    return (struct hpc_control *)((char *)m->control + (size_t)k * HPC_PAGE);
}

bool memory_starved(const struct exchange_memory *m)
{
    for (int k = 0; k < memory_pages(m); k++)
        if (__atomic_load_n(&memory_page(m, k)->starved, __ATOMIC_ACQUIRE))
            return true;
    return false;
}

void memory_allocations(const struct exchange_memory *m, struct exchange_call *result)
{
    for (int k = 0; k < memory_pages(m); k++) {
        const struct hpc_control *c = memory_page(m, k);
        result->allocations += __atomic_load_n(&c->allocations, __ATOMIC_RELAXED);
        if (!result->allocated_at)
            result->allocated_at = __atomic_load_n(&c->allocated_at, __ATOMIC_RELAXED);
    }
}

uint32_t exchange_filled(const struct exchange *x, uint64_t *at)
{
    uint32_t most = 0;
    *at = 0;
    for (int k = 0; k < memory_pages(&x->memory); k++) {
        const struct hpc_control *c = memory_page(&x->memory, k);
        const uint32_t filled = __atomic_load_n(&c->filled, __ATOMIC_RELAXED);
        most = filled > most ? filled : most;
        *at = *at ? *at : __atomic_load_n(&c->filled_at, __ATOMIC_RELAXED);
    }
    return most;
}

uint64_t exchange_any_source(const struct exchange *x)
{
    uint64_t at = 0;
    for (int r = 0; r < memory_pages(&x->memory) && at == 0; r++)
        at = __atomic_load_n(&memory_page(&x->memory, r)->rank.any_source, __ATOMIC_RELAXED);
    return at;
}

static void fill_page(const struct exchange_spec *spec, const struct exchange_memory *m,
                      struct hpc_control *c)
{
    c->abi = HPC_ABI;
    c->threads = spec->env.threads;
    c->simd = spec->env.simd;
    c->fixed = m->fixed;
    snprintf(c->op, sizeof c->op, "%s", spec->op->name);
    c->n_in = (uint32_t)m->layout.n_in;
    c->n_out = (uint32_t)m->layout.n_out;
    memcpy(c->in, m->in, sizeof c->in);
    memcpy(c->out, m->out, sizeof c->out);
    memcpy(c->problem, spec->shown ? spec->shown : spec->problem, sizeof c->problem);
    c->fill = spec->fill;
    c->zeros = spec->zeros;
    c->reopen = spec->reopen;
    c->ahead = spec->ahead;
    c->ahead_in = spec->op->ahead_in;
    c->ahead_out = spec->op->ahead_out;
}

void control_fill(const struct exchange_spec *spec, struct exchange_memory *m)
{
    for (int k = 0; k < memory_pages(m); k++)
        fill_page(spec, m, memory_page(m, k));
}

/* What a device's runner may have. The checker keeps a shadow of all that lies on the device, of
 * the arrays above all; the shadow of what a solution takes besides may be as large as that. */
static size_t device_memory(const struct exchange *x, size_t own, size_t arrays)
{
    if (DEFENCE(device_memory) && x->device == DEVICE_CPU)
        return own + arrays + CPU_DEVICE_BYTES + (x->sanitized ? own + CHECKER_FACTOR * arrays : 0);
    return (own + arrays) * (x->sanitized ? CHECKER_FACTOR : 1) + DEVICE_BYTES;
}

/* The limit is for what the variant allocates: shared arrays and threads come on top. A device's
 * runner reserves address space far beyond what it uses: there the pages that it has are watched,
 * arrays on the host and on the device (the CPU's is this process too) among them; the checker
 * keeps a shadow of every byte. */
static void limit_memory(const struct exchange *x, const struct exchange_spec *spec,
                         struct jail_limits *limits)
{
    const struct exchange_memory *m = &x->memory;
    size_t arrays = m->input_bytes + m->control_bytes, own = limits->memory_bytes;
    limits->memory_bytes = 0;
    if (own && x->device != DEVICE_HOST)
        limits->resident_bytes = device_memory(x, own, 2 * arrays);
    else if (own && x->sanitized) /* shadow memory, and blocks kept after free */
        limits->resident_bytes = SANITIZER_FACTOR * own + SANITIZER_BYTES;
    else if (own)
        limits->memory_bytes =
            own + arrays + RUNNER_BYTES + (size_t)spec->env.threads * THREAD_BYTES;
}

/* "NAME=VALUE" of our own environment, owned by the caller; NULL where it is not set. */
static char *pass_on(const char *name)
{
    const char *value = getenv(name);
    return value ? hpc_printf("%s=%s", name, value) : NULL;
}

/* The libraries that this runner is linked with, one a line, or NULL where it was not asked when it
 * was built; the caller's. */
static char *read_libraries(const char *runner)
{
    char *path = hpc_printf("%s" BUILD_LIBRARIES, runner), *text = NULL;
    FILE *f = NULL;
    if (DEFENCE(libraries))
        f = fopen(path, "re");
    free(path);
    if (f) {
        text = hpc_calloc(1, LIBRARIES_BYTES);
        text[fread(text, 1, LIBRARIES_BYTES - 1, f)] = '\0';
        fclose(f);
    }
    return text;
}

/* The same runner as every rank of an MPI program, by an mpirun that the jail holds too. `env` has
 * what all runners have, and room; `carried` as in struct exchange_spec. */
static bool start_ranks(struct exchange *x, const struct jail_spec *one, const char **env,
                        bool carried, struct hpc_error *err)
{
    struct jail_mpi mpi;
    struct jail_spec all = *one;
    const int ranks = x->memory.layout.ranks;
    if (!jail_mpi(&mpi, ranks, one->argv, err))
        return false;
    if (carried)
        jail_mpi_by_loopback(&mpi);
    int n = 0, k = 0;
    while (mpi.env[n])
        n++;
    for (; env[k] && n < JAIL_MPI_WORDS - 1; k++)
        if (strncmp(env[k], "PATH=", 5) != 0 && strncmp(env[k], "HOME=", 5) != 0)
            mpi.env[n++] = env[k];
    mpi.env[n] = NULL;
    all.argv = mpi.argv;
    all.env = mpi.env;
    all.libraries = NULL;
    all.profile = JAIL_MPI;
    all.limits.file_bytes = JAIL_MPI_FILE_BYTES(ranks);
    all.limits.processes = JAIL_MPI_PROCESSES(ranks);
    all.limits.resident_bytes =
        (all.limits.memory_bytes ? all.limits.memory_bytes : RANK_BYTES) * (size_t)ranks;
    return (x->jail = jail_start(&all, err)) != NULL;
}

bool runner_start(struct exchange *x, const struct exchange_spec *spec, struct hpc_error *err)
{
    char input[16], control[16], threads[40];
    const struct exchange_memory *m = &x->memory;
    snprintf(input, sizeof input, "%d", m->input_fd);
    snprintf(control, sizeof control, "%d", m->control_fd);
    snprintf(threads, sizeof threads, "OMP_NUM_THREADS=%d", spec->env.threads);
    const char *argv[] = {spec->runner, input, control, NULL};
    const char *env[24] = {threads, spec->untimed ? SHORT_SPIN : SPIN, "PATH=/usr/bin:/bin",
                           "HOME=/tmp", "LANG=C"};
    int n = 5;
    char *passed[3] = {NULL, NULL, NULL};
    if (x->device == DEVICE_CUDA) { /* where the driver's library lies, and which GPU is meant */
        passed[0] = pass_on("LD_LIBRARY_PATH");
        passed[1] = pass_on("CUDA_VISIBLE_DEVICES");
    }
#ifdef HPC_TEST_DEFENCES
    passed[2] = pass_on("HPC_DEFENCE_OFF");
#endif
    for (int i = 0; i < 3; i++)
        if (passed[i])
            env[n++] = passed[i];
    for (int i = 0; spec->extra_env && spec->extra_env[i] && n < 23; i++)
        env[n++] = spec->extra_env[i];
    char *libraries = read_libraries(spec->runner);
    struct jail_spec jail = {.argv = argv,
                             .env = env,
                             .read_only = {spec->runner},
                             .libraries = libraries,
                             .fds = {m->input_fd, m->control_fd},
                             .limits = spec->limits,
                             .gpu = x->device == DEVICE_CUDA,
                             .profile = x->sanitized && x->device == DEVICE_HOST ? JAIL_SANITIZED
                                                                                 : JAIL_RUN};
    for (int i = 0; spec->extra_read_only && spec->extra_read_only[i] && i < JAIL_MAX_BINDS - 2;
         i++)
        jail.read_only[i + 1] = spec->extra_read_only[i];
    limit_memory(x, spec, &jail.limits);
    if (x->device == DEVICE_HOST && !x->sanitized && !m->layout.ranks)
        jail.limits.processors = spec->env.threads;
    control_fill(spec, &x->memory);
    if (m->layout.ranks)
        start_ranks(x, &jail, env, spec->carried, err);
    else
        x->jail = jail_start(&jail, err);
    free(libraries);
    for (int i = 0; i < 3; i++)
        free(passed[i]);
    return x->jail != NULL;
}
