/* family 12: calls the reference, should it be linked
 * task strict
 * grade: rejected; reason: hpc_variant_cpu
 * without symbols: build; reason: hpc_variant_cpu */
#include "conv1d/attack.h"

extern const struct hpc_variant hpc_variant_cpu;

static int run_it(void *state, const void *const in[], void *const out[])
{
    return hpc_variant_cpu.run(state, in, out);
}
const struct hpc_variant hpc_variant = {HPC_ABI,    "conv1d", "hostile",
                                        plain_open, run_it,   plain_close};
