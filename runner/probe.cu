/* No variant of anything: shows that a GPU still takes data and runs kernels (harness/grade/gpu.c).
 * Built with -DHPC_PROBE_OP=NAME of any operation. */
#include <cuda_runtime.h>

#include "common/abi.h"

#define TEXT(name)  #name
#define NAME(macro) TEXT(macro)

static __device__ unsigned last;

static __global__ void probe_kernel()
{
    atomicMax(&last, blockIdx.x * blockDim.x + threadIdx.x);
}

static int probe_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    (void)problem;
    *state = NULL;
    return 0;
}

static int probe_run(void *state, const void *const in[], void *const out[])
{
    (void)state;
    (void)in;
    (void)out;
    probe_kernel<<<64, 256>>>();
    return cudaGetLastError() != cudaSuccess;
}

static void probe_close(void *state)
{
    (void)state;
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,    NAME(HPC_PROBE_OP), "probe",
                                                   probe_open, probe_run,          probe_close};
