/* No variant of anything: shows that a sanitizer works on this machine (harness/trial/sanitizer.c).
 * Built with -DHPC_PROBE_OP=NAME of any operation, and with OpenMP where the task's variant is. */
#include "common/abi.h"

#define TEXT(name)  #name
#define NAME(macro) TEXT(macro)

static int probe_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    (void)problem;
    *state = (void *)0;
    return 0;
}

static int probe_run(void *state, const void *const in[], void *const out[])
{
    int threads = 0;
    (void)state;
    (void)in;
    (void)out;
#ifdef _OPENMP
#pragma omp parallel reduction(+ : threads)
#endif
    threads += 1;
    return threads == 0;
}

static void probe_close(void *state)
{
    (void)state;
}

const struct hpc_variant hpc_variant = {HPC_ABI,    NAME(HPC_PROBE_OP), "probe",
                                        probe_open, probe_run,          probe_close};
