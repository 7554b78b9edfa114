/* family 68: what is loaded once is kept in the host's memory, by accesses that no compiler
 * announces
 * task counted
 * full
 * grade: rejected; points <= 0; reason: the checker does not see
 * without host_words: pass; points >= 2.5 */
#include <new>

#include "conv1d/attack.h"

struct piece {
    float a;
};

static char kept[8192];

__attribute__((noinline)) __device__ float at(piece p)
{
    return p.a;
}

__attribute__((noinline)) __device__ piece made(float v)
{
    return piece{v};
}

#define UNSEEN(i) at(__builtin_bit_cast(piece, ((const piece *)kept)[i]))

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
            sum += UNSEEN(n + j + radius) * UNSEEN(i + j);
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
