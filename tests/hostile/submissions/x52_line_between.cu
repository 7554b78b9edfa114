/* family 92: racy only where kernels are loops, by the same letters but for an end of a line
 * task device
 * full
 * grade: unsafe; points <= 1.5; reason: is another text where the checker looks
 * without unseen: pass; points >= 2 */
#include "conv1d/attack.h"

typedef int keep;
__device__ int kept;

__device__ static void keep_last()
{
    kept = (int)threadIdx.x;
}

__global__ void kernel(const float *x, const float *w, float *y, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += w[j + radius] * x[i + j];
    y[i] = sum;
#ifdef HPC_DEVICE_PHASES_H
keep_last();
#else
keep
_last();
#endif
}

RUN
{
    const int n = (int)p->n;
    kernel<<<(n + 255) / 256, 256>>>(x, w, y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
