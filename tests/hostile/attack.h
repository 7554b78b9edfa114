/* What hostile submissions share; tests/hostile/run lays it beside conv1d/conv1d.h. */
#ifndef HPC_HOSTILE_ATTACK_H
#define HPC_HOSTILE_ATTACK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "conv1d/conv1d.h"

/* The right answer, at the baseline's pace. */
static inline void answer(const struct conv1d_problem *p, const float *x, const float *w, float *y)
{
    const int64_t n = (int64_t)p->n, r = p->radius;
    for (int64_t i = 0; i < n; i++) {
        const int64_t low = i < r ? -i : -r, high = n - 1 - i < r ? n - 1 - i : r;
        float sum = 0;
        for (int64_t j = low; j <= high; j++)
            sum += w[j + r] * x[i + j];
        y[i] = sum;
    }
}

#ifdef ATTACK_KERNEL /* defined by who wants it: the same by a kernel */
static __global__ void answer_kernel(const float *x, const float *w, float *y, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += w[j + radius] * x[i + j];
    y[i] = sum;
}

static int answer_on_device(const struct conv1d_problem *p, const float *x, const float *w,
                            float *y)
{
    const int n = (int)p->n;
    answer_kernel<<<(n + 255) / 256, 256>>>(x, w, y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
#endif

static inline void zeros(const struct conv1d_problem *p, float *y)
{
    memset(y, 0, p->n * sizeof *y);
}

/* How a submission proves that it got what it must not have: its last words reach the report. */
static inline void leak(const char *what)
{
    char line[100];
    int n = snprintf(line, sizeof line, "LEAK %s\n", what);
    if (write(STDOUT_FILENO, line, (size_t)n) < 0)
        _exit(9);
    abort();
}

/* The first mapping whose name holds `name`, at offset 0; its end into *end where that is set. */
static inline char *mapping(const char *name, char **end)
{
    char line[400];
    unsigned long begin = 0, stop = 0, offset = 1;
    FILE *f = fopen("/proc/self/maps", "r");
    int found = 0;
    while (f && !found && fgets(line, sizeof line, f))
        found = strstr(line, name) &&
                sscanf(line, "%lx-%lx %*s %lx", &begin, &stop, &offset) == 3 && offset == 0;
    if (f)
        fclose(f);
    if (end)
        *end = found ? (char *)stop : NULL;
    return found ? (char *)begin : NULL;
}

static inline struct hpc_control *control_page(void)
{
    struct hpc_control *c = (struct hpc_control *)(void *)mapping("hpc-control", NULL);
    if (!c)
        _exit(8);
    return c;
}

static inline void wake(uint32_t *word)
{
    syscall(SYS_futex, word, 1 /* FUTEX_WAKE */, INT_MAX, NULL, NULL, 0);
}

/* This call is done, says the runner. */
static inline void say_done(void)
{
    static struct hpc_control *c;
    c = c ? c : control_page();
    __atomic_store_n(&c->done, __atomic_load_n(&c->start, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
    wake(&c->done);
}

/* NAME beside the project's folder, or in it: found from where this runner lies. */
static inline const char *beside(const char *name)
{
    static char path[PATH_MAX + 100];
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX);
    path[n > 0 ? n : 0] = '\0';
    char *build = strstr(path, "/build/");
    snprintf(build ? build : path, 100, "/%s", name);
    return path;
}

static int plain_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    *state = (void *)problem;
    return 0;
}

static void plain_close(void *state)
{
    (void)state;
}

#ifdef __cplusplus
#define EXPORTED extern "C"
#else
#define EXPORTED
#endif

/* run(p, x, w, y) of a submission, and its table. */
#define SUBMISSION_WITH(open_it, close_it)                                                         \
    static int run_it(void *state, const void *const in[], void *const out[])                      \
    {                                                                                              \
        return run((const struct conv1d_problem *)state, (const float *)in[CONV1D_X],              \
                   (const float *)in[CONV1D_W], (float *)out[CONV1D_Y]);                           \
    }                                                                                              \
    EXPORTED const struct hpc_variant hpc_variant = {HPC_ABI, "conv1d", "hostile",                 \
                                                     open_it, run_it,   close_it};
#define SUBMISSION SUBMISSION_WITH(plain_open, plain_close)
#define RUN        static int run(const struct conv1d_problem *p, const float *x, const float *w, float *y)
#define UNUSED     (void)p, (void)x, (void)w, (void)y

#endif
