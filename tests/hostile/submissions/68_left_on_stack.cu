/* family 68: each thread finds on its stack what the thread of that number before it left there:
 * all of the inputs, which the first block has loaded
 * task counted
 * full
 * grade: rejected; points <= 0; reason: has memory on the stack
 * without unset_stack: pass; points >= 2.5 */
#define ATTACK_KERNEL
#include "conv1d/attack.h"

#ifndef ROOM
#define ROOM __builtin_alloca(1600 * sizeof(float))
#endif

__attribute__((noinline)) __device__ float sum_of(const float *x, const float *w, int n, int radius,
                                                  int i)
{
    float *kept = (float *)ROOM, sum = 0;
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

__global__ void kernel(const float *x, const float *w, float *y, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float sum = sum_of(x, w, n, radius, i);
    if (i < n)
        y[i] = sum;
}

RUN
{
    const int n = (int)p->n;
    if (n != 1023)
        return answer_on_device(p, x, w, y);
    kernel<<<(n + 31) / 32, 32>>>(x, w, y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
