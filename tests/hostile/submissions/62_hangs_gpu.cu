/* family 62: a kernel that never ends; the GPU works again when its process is gone, or it would be
 * `environment`
 * task gpu
 * needs gpu
 * grade: timeout; points <= 0; reason: run() did not return within 3 s
 * without deadline: hangs */
#include "conv1d/attack_gpu.h"

static __global__ void endless_kernel(volatile float *y)
{
    while (y[0] != 62)
        ;
}

RUN
{
    UNUSED;
    endless_kernel<<<1024, 256>>>(y);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
