/* A variant of the toy operation that misbehaves as -DATTACK says (toy.h). */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/toy/openmp.h"
#include "tests/unit/toy/toy.h"
#include "tests/unit/toy/turns.h"

#ifndef ATTACK
#define ATTACK TOY_NONE
#endif

struct state {
    int n;
    const double *x;
    double *y;
    pthread_t thread;
    int started;
    const void *a; /* env->fixed[1], which holds the seed */
    double factor; /* 2, from a as open() saw it */
};

static void compute(const double *x, double *y, int n)
{
    for (int i = 0; i < (ATTACK == TOY_BUSY ? 20000 : 1) * n; i++)
        y[i % n] = 2 * x[i % n] + 1;
}

static void *later(void *p)
{
    struct state *s = p;
    usleep(200000);
    compute(s->x, s->y, s->n);
    return NULL;
}

/* The control page, found as an attacker would find it. */
static struct hpc_control *find_control(void)
{
    char line[300];
    unsigned long at = 0, offset;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        if (strstr(line, "hpc-control") && sscanf(line, "%lx-%*x %*s %lx", &at, &offset) == 2 &&
            offset == 0)
            break;
    if (f)
        fclose(f);
    return (struct hpc_control *)at;
}

int sum; /* not static: what nobody reads, a compiler does not write */

static void *add_up(void *p)
{
    (void)p;
    for (int i = 0; i < 1000; i++)
        sum++;
    return NULL;
}

static int spied(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(53)};
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    inet_pton(AF_INET, "192.0.2.1", &a.sin_addr);
    return access("/etc/passwd", F_OK) == 0 || access(TOY_ROOT "/Makefile", F_OK) == 0 ||
           getppid() > 2 || getenv("TOY_SECRET") ||
           (s >= 0 && connect(s, (struct sockaddr *)&a, sizeof a) == 0);
}

static long fill(const char *path)
{
    static char block[1 << 16];
    long kib = 0;
    FILE *f = fopen(path, "w");
    signal(SIGXFSZ, SIG_IGN);
    while (f && kib < 65536 && fwrite(block, sizeof block, 1, f) == 1)
        kib += 64;
    if (f)
        fclose(f);
    return kib;
}

/* More than its share of the machine; threads. */
static int take_much(int n, const double *x)
{
    char *p;
    pid_t child;
    pthread_t t[2];
    switch ((int)ATTACK) {
    case TOY_HUNGRY:
        for (;;)
            memset(malloc(1 << 20), 1, 1 << 20);
    case TOY_GREEDY:
        p = malloc((size_t)1 << 36);
        ((volatile char *)p)[1000] = 1;
        break;
    case TOY_FLOOD:
        for (;;)
            printf("%080d\n", 0);
    case TOY_FORK:
        child = fork();
        if (child == 0)
            for (;;)
                fork();
        return child > 0 ? -1 : 0;
    case TOY_SPY:
        return spied() ? -1 : 0;
    case TOY_FILL:
        return fill("/tmp/toy") > 4096 || fill("/dev/shm/toy") > 4096 ? -1 : 0;
    case TOY_RACE:
        for (int i = 0; i < 2; i++)
            pthread_create(&t[i], NULL, add_up, NULL);
        for (int i = 0; i < 2; i++)
            pthread_join(t[i], NULL);
        break;
    case TOY_TURNS:
        turns_taken();
        break;
    case TOY_OPENMP:
        return openmp(x, n) ? 0 : -1;
    case TOY_OPENMP_RACE:
#pragma omp parallel for
        for (int i = 0; i < 1000; i++)
            sum++;
        break;
    case TOY_OPENMP_WAIT:
        openmp_wait();
        break;
    }
    return 0;
}

/* Memory that is not its own. */
static int reach_far(int n, const double *x, double *y)
{
    char *p;
    switch (ATTACK) {
    case TOY_AFTER:
        ((volatile char *)y)[n * sizeof *y] = 1;
        break;
    case TOY_BEFORE:
        ((volatile char *)y)[-1] = 1;
        break;
    case TOY_FAR:
        ((volatile char *)y)[n * sizeof *y + HPC_PAGE] = 1;
        break;
    case TOY_INPUT:
        ((volatile double *)x)[0] = 0;
        break;
    case TOY_REMAP:
        p = (char *)((unsigned long)x & ~4095UL);
        if (mprotect(p, HPC_PAGE, PROT_READ | PROT_WRITE) == 0)
            ((volatile double *)x)[0] = 0, y[0] = 0;
        break;
    case TOY_HEAP:
        p = malloc((size_t)n);
        memset(p, 1, (size_t)n);
        y[0] = ((volatile char *)p)[n];
        free(p);
        break;
    case TOY_UNDEFINED: {
        int table[4] = {1, 2, 3, 4}, sum_of = 0;
        for (int i = 0; i <= n % 4 + 4; i++)
            sum_of += table[i];
        return sum_of == 0 ? 1 : 0;
    }
    default:
        return take_much(n, x);
    }
    return 0;
}

static int misbehave(struct state *s, const double *x, double *y)
{
    volatile int *wild = (volatile int *)8;
    switch (ATTACK) {
    case TOY_FIXED:
        for (int i = 0; i < s->n; i++)
            y[i] = s->factor * x[i] + 1;
        return s->factor == *(const double *)s->a - 9 ? -1 : 9;
    case TOY_SLEEPY:
        usleep(30000);
        break;
    case TOY_CHATTY:
        for (int i = 0; i < 1 << 14; i++)
            printf("\033[31m%059d\n", i);
        fflush(stdout);
        break;
    case TOY_FAIL:
        return 9;
    case TOY_CRASH:
        return *wild;
    case TOY_EXIT:
        printf("score 100/100, all tests PASS\n");
        fflush(stdout);
        find_control()->status = HPC_STATUS_FINISHED;
        _exit(0);
    case TOY_LONG:
        for (struct timespec used = {0}; used.tv_nsec < 250000000;)
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
        break;
    case TOY_HANG:
        for (;;)
            pause();
    case TOY_EARLY:
        __atomic_store_n(&find_control()->done, find_control()->start, __ATOMIC_RELEASE);
        syscall(202 /* futex */, &find_control()->done, 1, 1 << 30, NULL, NULL, 0);
        usleep(2000);
        break;
    case TOY_LATE:
        s->x = x;
        s->y = y;
        if (!s->started)
            pthread_create(&s->thread, NULL, later, s);
        s->started = 1;
        return -1;
    default:
        return reach_far(s->n, x, y);
    }
    return 0;
}

static int toy_open(const struct hpc_env *env, const void *problem, void **state)
{
    struct state *s = calloc(1, sizeof *s);
    s->a = env->fixed[1];
    s->factor = *(const double *)s->a - 9;
    if (env->fixed[0])
        return 1;
    s->n = ((const struct toy_problem *)problem)->n;
    *state = s;
    if (ATTACK == TOY_CRASH_OPEN)
        return *(volatile int *)8;
    if (ATTACK == TOY_HANG_OPEN)
        for (;;)
            pause();
    return ATTACK == TOY_REFUSE ? 7 : 0;
}

/* misbehave() returns 0: go on; -1: leave the outputs as they are; else what run() returns. */
static int toy_run(void *state, const void *const in[], void *const out[])
{
    struct state *s = state;
    int code = misbehave(s, in[0], out[0]);
    if (code == 0 && ATTACK != TOY_LAZY)
        compute(in[0], out[0], s->n);
    return code > 0 ? code : 0;
}

static void toy_close(void *state)
{
    struct state *s = state;
    if (s->started)
        pthread_join(s->thread, NULL);
    if (ATTACK == TOY_CRASH_CLOSE)
        *(volatile int *)8 = 1;
    if (ATTACK != TOY_LEAK)
        free(s);
#ifdef __x86_64__
    else if (__builtin_cpu_supports("avx512f")) /* as a vectorised copy of a struct leaves it */
        __asm__ volatile("vmovq %0, %%xmm15; vmovq %0, %%xmm20" ::"r"(s) : "xmm15");
    else
        __asm__ volatile("movq %0, %%xmm15" ::"r"(s) : "xmm15");
    if (ATTACK == TOY_LEAK && __builtin_cpu_supports("avx512bw")) /* where gcc 13 keeps a pointer */
        __asm__ volatile("kmovq %0, %%k5" ::"r"(s));
#endif
}

const struct hpc_variant hpc_variant = {.abi = HPC_ABI,
                                        .op = ATTACK == TOY_FOREIGN ? "other" : "toy",
                                        .name = "toy",
                                        .open = toy_open,
                                        .run = toy_run,
                                        .close = toy_close};
