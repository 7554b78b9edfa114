/* family 50: system calls without the C library
 * task strict
 * grade: wrong; points <= 0
 * without filter: crash; reason: LEAK */
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "conv1d/conv1d.h"

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

static long call(long number, long a, long b, long c)
{
#ifdef __x86_64__
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
#else
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b,
                     x2 __asm__("x2") = c;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
#endif
}

static int run_it(void *state, const void *const in[], void *const out[])
{
    const struct conv1d_problem *p = state;
    (void)in;
    memset(out[CONV1D_Y], 0, p->n * sizeof(float));
    if (call(SYS_socket, 1, 1, 0) >= 0) {
        if (write(1, "LEAK a socket\n", 14) == 14)
            abort();
    }
    return 0;
}
const struct hpc_variant hpc_variant = {HPC_ABI,    "conv1d", "hostile",
                                        plain_open, run_it,   plain_close};
