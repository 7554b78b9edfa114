/* family 68: what is loaded once is kept in a variable of the host's thread, which no access tells of
 * task counted
 * full
 * grade: rejected; points <= 0; reason: a thread of the host
 * without host_words: pass; points >= 2.5 */
#include "conv1d/attack.h"

static thread_local float kept_x[2000], kept_w[100];

__global__ void keep(const float *x, const float *w, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        kept_x[i] = x[i];
    if (i < 2 * radius + 1)
        kept_w[i] = w[i];
}

__global__ void kernel(float *y, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += kept_w[j + radius] * kept_x[i + j];
    y[i] = sum;
}

RUN
{
    const int n = (int)p->n;
    keep<<<1, 1024>>>(x, w, n, p->radius);
    kernel<<<1, 1024>>>(y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
