/* family 68: what is loaded once is kept in a variable of the host's, plainly
 * task counted
 * full
 * grade: rejected|unsafe|crash; points <= 0.5
 * structural: a kernel's accesses of the host's memory are faults that the compiler tells of */
#include "conv1d/attack.h"

static float kept[8192];

__global__ void keep(const float *x, const float *w, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        kept[i] = x[i];
    if (i < 2 * radius + 1)
        kept[n + i] = w[i];
}

static float at(int i) /* unmarked */
{
    return kept[i];
}

__global__ void kernel(float *y, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += at(n + j + radius) * at(i + j);
    y[i] = sum;
}

RUN
{
    const int n = (int)p->n;
    keep<<<(n + 255) / 256, 256>>>(x, w, n, p->radius);
    kernel<<<(n + 255) / 256, 256>>>(y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
