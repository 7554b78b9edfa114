/* family 52: compiles kernels at run time
 * task strict
 * grade: rejected; reason: nvrtcCompileProgram
 * without symbols: build; reason: nvrtcCompileProgram */
#include "conv1d/attack.h"

int nvrtcCompileProgram(void *program, int n, const char *const *options);

static int run_it(void *state, const void *const in[], void *const out[])
{
    (void)state, (void)in, (void)out;
    return nvrtcCompileProgram(NULL, 0, NULL);
}
const struct hpc_variant hpc_variant = {HPC_ABI,    "conv1d", "hostile",
                                        plain_open, run_it,   plain_close};
