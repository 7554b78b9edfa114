/* family 71: a weak function of its own where the checked build asks for shared memory, which gives
 * each thread its own stack, so that nobody sees the race
 * task device
 * full
 * grade: rejected|unsafe; points <= 1.5; reason: dev_shared
 * without exact_names: unsafe; points >= 1.25; reason: host memory in kernel */
#include "conv1d/attack.h"

static int threads = 256;

extern "C" __attribute__((weak)) void *dev_shared(dev_shared_variable *v)
{
    (void)v;
    return (char *)__builtin_frame_address(0) - 4096; /* of this thread's stack */
}

__global__ void kernel(const float *x, const float *w, float *y, int n, int radius)
{
    __shared__ int last;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    last = threadIdx.x; /* by all threads at once */
    for (int j = -radius; i < n && j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += w[j + radius] * x[i + j];
    __syncthreads();
    if (i < n)
        y[i] = last >= 0 ? sum : 0;
}

RUN
{
    const int n = (int)p->n;
    kernel<<<(n + threads - 1) / threads, threads>>>(x, w, y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
