/* family 66: a loop on the host computes, and gives the answers to kernels as their arguments
 * task device
 * full
 * grade: rejected; points <= 0; reason: run() computes on the host
 * without host_computes: unsafe; points >= 1.25; reason: run() copies to the host|run() computes on the host */
#include "conv1d/attack.h"
#define PART 100

struct part {
    float y[PART];
};

__global__ void give_kernel(float *y, int n, struct part part)
{
    const int i = threadIdx.x;
    if (i < n)
        y[i] = part.y[i];
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
    for (int from = 0; from < n; from += PART) {
        struct part part;
        for (int i = 0; i < PART && from + i < n; i++)
            part.y[i] = h[n + taps + from + i];
        give_kernel<<<1, PART>>>(y + from, n - from, part);
    }
    free(h);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
