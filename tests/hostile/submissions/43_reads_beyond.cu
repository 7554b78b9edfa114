/* family 43: reads beyond an input, and makes nothing of it
 * task device
 * full
 * grade: unsafe; points <= 1.5; reason: outside|past the end|bounds
 * without safety: pass; points >= 2.5 */
#include "conv1d/attack.h"

static int threads = 256;

__global__ void kernel(const float *x, const float *w, float *y, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += w[j + radius] * x[i + j];
    const float beyond = x[n + i % 4];
    y[i] = beyond > 1e30f ? beyond : sum;
}

static int run(const struct conv1d_problem *p, const float *x, const float *w, float *y)
{
    const int n = (int)p->n;
    kernel<<<(n + threads - 1) / threads, threads>>>(x, w, y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
