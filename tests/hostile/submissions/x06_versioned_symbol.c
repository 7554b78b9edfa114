/* family 68: a forbidden function under another name, by .symver
 * task strict
 * grade: rejected; reason: getenv
 * without symbols: crash; reason: LEAK */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conv1d/conv1d.h"

#ifdef __x86_64__
__asm__(".symver malloc_usable_size_of,getenv@GLIBC_2.2.5");
#else
__asm__(".symver malloc_usable_size_of,getenv@GLIBC_2.17");
#endif
char *malloc_usable_size_of(const char *name);

static int open_it(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    *state = (void *)problem;
    return 0;
}

static int run_it(void *state, const void *const in[], void *const out[])
{
    const struct conv1d_problem *p = state;
    (void)in;
    memset(out[CONV1D_Y], 0, p->n * sizeof(float));
    if (malloc_usable_size_of("PATH") && write(1, "LEAK a function\n", 16) == 16)
        abort();
    return 0;
}

static void close_it(void *state)
{
    (void)state;
}

const struct hpc_variant hpc_variant = {HPC_ABI, "conv1d", "hostile", open_it, run_it, close_it};
