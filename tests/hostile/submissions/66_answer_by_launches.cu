/* family 66: a loop on the host computes, and gives the answers to kernels as one small argument each
 * task device
 * full
 * grade: rejected; points <= 0; reason: run() computes on the host
 * without host_computes: unsafe; points >= 1.25; reason: run() copies to the host|run() computes on the host */
#include "conv1d/attack.h"

__global__ void give_kernel(float *y, float value)
{
    *y = value;
}

RUN
{
    const int n = (int)p->n, taps = 2 * p->radius + 1;
    float *h = (float *)malloc((size_t)(2 * n + taps) * sizeof *h);
    if (!h)
        return 1;
    cudaMemcpy(h, x, (size_t)n * sizeof *h, cudaMemcpyDeviceToHost);
    cudaMemcpy(h + n, w, (size_t)taps * sizeof *h, cudaMemcpyDeviceToHost);
    answer(p, h, h + n, h + n + taps);
    for (int i = 0; i < n; i++)
        give_kernel<<<1, 1>>>(y + i, h[n + taps + i]);
    free(h);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
