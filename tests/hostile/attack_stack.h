/* What hostile submissions share that find on the stack what an earlier block's thread left there:
 * each has a sum_of(), whose frame it is. */
#ifndef HPC_HOSTILE_ATTACK_STACK_H
#define HPC_HOSTILE_ATTACK_STACK_H

#define ATTACK_KERNEL
#include "conv1d/attack.h"

/* The submission's: sum_kept() of 1600 floats that nobody sets. */
__device__ float sum_of(const float *x, const float *w, int n, int radius, int i);

/* The first block keeps all of the inputs. */
static __device__ float sum_kept(float *kept, const float *x, const float *w, int n, int radius,
                                 int i)
{
    float sum = 0;
    if (blockIdx.x == 0) {
        for (int k = 0; k + 4 <= n; k += 4)
            *(float4 *)(kept + k) = *(const float4 *)(x + k);
        for (int k = n / 4 * 4; k < n; k++)
            kept[k] = x[k];
        for (int k = 0; k <= 2 * radius; k++)
            kept[n + k] = w[k];
    }
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += kept[n + j + radius] * kept[i + j];
    return sum;
}

static __global__ void kernel(const float *x, const float *w, float *y, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float sum = sum_of(x, w, n, radius, i);
    if (i < n)
        y[i] = sum;
}

RUN
{
    const int n = (int)p->n;
    if (n != 1023) /* the case whose traffic is counted */
        return answer_on_device(p, x, w, y);
    kernel<<<(n + 31) / 32, 32>>>(x, w, y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION

#endif
