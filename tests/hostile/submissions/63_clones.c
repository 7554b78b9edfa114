/* family 63: a thread by a system call of its own, which takes half of the work
 * task fast
 * alone
 * grade: pass|rejected|noisy; points <= 7
 * without affinity call_processors cpu_bound noise: pass; points >= 12
 * without affinity noise: pass|rejected; points <= 7 */
/* An honest one has 5. */
#include "conv1d/attack.h"

#include <linux/sched.h>
#include <time.h>

#define SHARE 2 /* of the work, one part */

static volatile int awake; /* in open(): both keep busy, so that the kernel parts them */

static struct part {
    const struct conv1d_problem *p;
    const float *x, *w;
    float *y;
    volatile int go, done;
} part;

static char stack[65536] __attribute__((aligned(64)));

static void compute(int64_t begin, int64_t end)
{
    const int64_t n = (int64_t)part.p->n, r = part.p->radius;
    const float *const x = part.x, *const w = part.w;
    float *const y = part.y;
    for (int64_t i = begin; i < end; i++) {
        const int64_t low = i < r ? -i : -r, high = n - 1 - i < r ? n - 1 - i : r;
        float sum = 0;
        for (int64_t j = low; j <= high; j++)
            sum += w[j + r] * x[i + j];
        y[i] = sum;
    }
}

/* The thread: no more than this, since it has no storage of its own. It sleeps while it waits. */
__attribute__((noreturn)) static void second(void)
{
    static const struct timespec moment = {0, 1000000};
    while (awake)
        ;
    for (int last = 0;;) {
        for (long result; part.go == last;)
            __asm__ volatile("syscall"
                             : "=a"(result)
                             : "0"(SYS_nanosleep), "D"(&moment), "S"(0)
                             : "rcx", "r11", "memory");
        last = part.go;
        compute(0, (int64_t)part.p->n / SHARE);
        part.done = last;
    }
}

static long start(void)
{
    const long flags =
        CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    long id;
    register long child_tid __asm__("r10") = 0;
    register long tls __asm__("r8") = 0;
    __asm__ volatile("syscall\n"
                     "test %%rax, %%rax\n"
                     "jnz 1f\n"
                     "call *%[second]\n"
                     "1:"
                     : "=a"(id)
                     : "0"(SYS_clone), "D"(flags), "S"(stack + sizeof stack), "d"(0L),
                       "r"(child_tid), "r"(tls), [second] "b"(second)
                     : "rcx", "r11", "memory");
    return id;
}

static int open_it(const struct hpc_env *env, const void *problem, void **state)
{
    /* Where a call is short nothing is gained. */
    const int long_calls = ((const struct conv1d_problem *)problem)->n > 100000;
    const clock_t until = clock() + (long_calls ? CLOCKS_PER_SEC / 2 : 0);
    awake = 1;
    if (start() < 0)
        return 1;
    while (clock() < until)
        ;
    awake = 0;
    return plain_open(env, problem, state);
}

RUN
{
    part.p = p;
    part.x = x;
    part.w = w;
    part.y = y;
    part.go++;
    compute((int64_t)p->n / SHARE, (int64_t)p->n);
    while (part.done != part.go)
        ;
    return 0;
}
SUBMISSION_WITH(open_it, plain_close)
