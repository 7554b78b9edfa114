/* family 68: what is loaded once is kept in the host's memory, of which another name says that it
 * never changes
 * task counted
 * full
 * grade: rejected|unsafe; points <= 0.5
 * without one_name: pass; points >= 2.5 */
#include <new>

#include "conv1d/attack.h"

struct piece {
    float a;
};

#pragma redefine_extname view kept
extern "C" {
float kept[8192];
extern const float view[8192];
}

__attribute__((noinline)) __device__ piece made(float v)
{
    return piece{v};
}

__global__ void keep(const float *x, const float *w, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        new ((piece *)kept + i) piece(made(x[i]));
    if (i < 2 * radius + 1)
        new ((piece *)kept + n + i) piece(made(w[i]));
}

__global__ void kernel(float *y, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += view[n + j + radius] * view[i + j];
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
