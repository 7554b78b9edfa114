/* family 68: loads by the host's copies, called in a kernel, into constant memory
 * task counted
 * full
 * grade: crash; points <= 0.5; reason: in a kernel
 * structural: the call ends the program where it is made */
#include "conv1d/attack.h"

__constant__ float window[16], weights[16];

__global__ void kernel(const float *x, const float *w, float *y, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (i == 0)
        cudaMemcpyToSymbol(weights, w, (size_t)(2 * radius + 1) * sizeof(float), 0,
                           cudaMemcpyDeviceToDevice);
    float sum = i < 2 * radius + 1 && w[i] < -1e30f ? 1 : 0;
    const int from = i < radius ? 0 : i - radius, to = i + radius < n ? i + radius : n - 1;
    cudaMemcpyToSymbol(window, x + from, (size_t)(to - from + 1) * sizeof(float), 0,
                       cudaMemcpyDeviceToDevice);
    sum += x[i] < -1e30f ? 1 : 0;
    for (int j = from; j <= to; j++)
        sum += weights[j - i + radius] * window[j - from];
    y[i] = sum;
}

RUN
{
    const int n = (int)p->n;
    kernel<<<1, 1024>>>(x, w, y, n, p->radius); /* threads of a block come one after another */
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
