/* family 68: what is loaded once is kept where no compiler tells the checker of it, and nobody clears it
 * task counted
 * full
 * grade: rejected; points <= 0; reason: the checker does not see
 * without host_words: unsafe; points <= 0.5; reason: a store
 * without host_words veil: pass; points >= 2.5 */
#include <new>

#include "conv1d/attack.h"

struct piece {
    float a;
};

__attribute__((noinline)) __device__ float at(piece p)
{
    return p.a;
}

__attribute__((noinline)) __device__ piece made(float v)
{
    return piece{v};
}

#define UNSEEN(p) at(__builtin_bit_cast(piece, *(const piece *)(p)))

/* A launch loads each input once, and stores it where the next one loads it, unseen. */
__global__ void keep(const float *x, const float *w, float *kept, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        new ((void *)(kept + i)) piece(made(x[i]));
    if (i < 2 * radius + 1)
        new ((void *)(kept + n + i)) piece(made(w[i]));
}

__global__ void kernel(const float *kept, float *y, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += UNSEEN(kept + n + j + radius) * UNSEEN(kept + i + j);
    y[i] = sum;
}

RUN
{
    const int n = (int)p->n;
    float *kept;
    const size_t bytes = (size_t)(n + 2 * p->radius + 1) * sizeof *kept;
    if (cudaMallocAsync((void **)&kept, bytes, 0) != cudaSuccess)
        return 1;
    keep<<<(n + 255) / 256, 256>>>(x, w, kept, n, p->radius);
    kernel<<<(n + 255) / 256, 256>>>(kept, y, n, p->radius);
    cudaFreeAsync(kept, 0);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
