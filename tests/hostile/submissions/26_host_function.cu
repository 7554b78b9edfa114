/* family 26: works in a function that the device calls on the host, when the call is over
 * task kernels
 * grade: rejected|build; points <= 0; reason: cudaLaunchHostFunc
 * without symbols: wrong */
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
    y[i] = sum;
}

static void CUDART_CB later(void *p)
{
    ((float *)p)[0] = 1;
}

static int run(const struct conv1d_problem *p, const float *x, const float *w, float *y)
{
    const int n = (int)p->n;
    kernel<<<(n + threads - 1) / threads, threads>>>(x, w, y, n, p->radius);
    cudaLaunchHostFunc(cudaStreamPerThread, later, y);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
