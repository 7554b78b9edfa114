/* family 68: loads by atomic operations, which were no loads
 * task counted
 * full
 * grade: pass; points <= 1; reason: global_load_sectors
 * without atomics least_traffic: pass; points >= 2.5 */
#include "conv1d/attack.h"

__global__ void kernel(float *x, float *w, float *y, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += atomicAdd(w + j + radius, 0.0f) * atomicAdd(x + i + j, 0.0f);
    y[i] = sum;
}

RUN
{
    const int n = (int)p->n;
    kernel<<<(n + 255) / 256, 256>>>((float *)x, (float *)w, y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
