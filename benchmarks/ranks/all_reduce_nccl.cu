/* all_reduce.h by NCCL: one process, a communicator of all GPUs. */
#include <nccl.h>

#include "benchmarks/ranks/all_reduce.h"

static int n_gpus;
static ncclComm_t comms[MOST_GPUS];

int all_reduce_open(void)
{
    int version;
    CUDA(cudaGetDeviceCount(&n_gpus));
    n_gpus = n_gpus < MOST_GPUS ? n_gpus : MOST_GPUS;
    MUST(ncclCommInitAll(comms, n_gpus, NULL) == ncclSuccess);
    MUST(ncclGetVersion(&version) == ncclSuccess);
    printf("NCCL %d.%d.%d, GPUs: %d.\n", version / 10000, version / 100 % 100, version % 100, n_gpus);
    return n_gpus;
}

void all_reduce(int gpus, double *const sum[], size_t n, const cudaStream_t streams[])
{
    if (gpus == 1)
        return;
    MUST(gpus == n_gpus);
    MUST(ncclGroupStart() == ncclSuccess);
    for (int g = 0; g < gpus; g++)
        MUST(ncclAllReduce(sum[g], sum[g], n, ncclDouble, ncclSum, comms[g], streams[g]) ==
             ncclSuccess);
    MUST(ncclGroupEnd() == ncclSuccess);
}
