/* family 68: loads that no compiler tells the checker of: structs by __builtin_bit_cast into a call
 * task counted
 * full
 * grade: rejected; points <= 0; reason: the checker does not see
 * without host_words: unsafe; points <= 0.5; reason: right without it
 * without host_words veil: pass; points >= 2.5 */
#include "conv1d/attack.h"

struct piece {
    float a;
};

__attribute__((noinline)) __device__ float at(piece p)
{
    return p.a;
}

#define UNSEEN(p) at(__builtin_bit_cast(piece, *(const piece *)(p)))

__global__ void kernel(const float *x, const float *w, float *y, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = x[i] < -1e30f || (i < 2 * radius + 1 && w[i] < -1e30f) ? 1 : 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += UNSEEN(w + j + radius) * UNSEEN(x + i + j);
    y[i] = sum;
}

RUN
{
    const int n = (int)p->n;
    kernel<<<(n + 255) / 256, 256>>>(x, w, y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
