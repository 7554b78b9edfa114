/* family 66: a loop on the host computes in managed variables, which kernels fill and empty
 * task counted
 * full
 * grade: rejected; points <= 0; reason: run() computes on the host
 * without host_computes: unsafe; points >= 0.5 */
#include "conv1d/attack.h"

__managed__ float xs[2048], ws[64], ys[2048];

__global__ void fill(const float *x, const float *w, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        xs[i] = x[i];
    if (i < 2 * radius + 1)
        ws[i] = w[i];
}

__global__ void empty(float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = ys[i];
}

RUN
{
    const int n = (int)p->n;
    fill<<<(n + 255) / 256, 256>>>(x, w, n, p->radius);
    answer(p, xs, ws, ys);
    empty<<<(n + 255) / 256, 256>>>(y, n);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
