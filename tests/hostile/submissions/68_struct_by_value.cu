/* family 68: loads and stores of structs that a function takes and returns, whose calls no compiler
 * shows
 * task counted
 * full
 * grade: pass; points <= 1; reason: global_load_sectors
 * structural: the compiler copies such a struct into a variable first, and says so */
#include "conv1d/attack.h"

struct piece {
    float a;
};

__attribute__((noinline)) __device__ float at(piece p)
{
    return p.a;
}

__global__ void kernel(const float *x, const float *w, float *y, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = x[i] < -1e30f || (i < 2 * radius + 1 && w[i] < -1e30f) ? 1 : 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += at(((const piece *)w)[j + radius]) * at(((const piece *)x)[i + j]);
    y[i] = sum;
}

RUN
{
    const int n = (int)p->n;
    kernel<<<(n + 255) / 256, 256>>>(x, w, y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
