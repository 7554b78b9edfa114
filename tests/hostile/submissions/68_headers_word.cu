/* family 68: loads that no compiler tells the checker of, by a word that a header's line says
 * task counted
 * full
 * grade: rejected; points <= 0; reason: defines malloc|defines _mm_malloc
 * without pure_headers: unsafe; points <= 0.5; reason: right without it
 * without pure_headers veil: pass; points >= 2.5 */
struct piece {
    float a;
};

__attribute__((noinline)) __device__ unsigned at(piece p)
{
    return __float_as_uint(p.a);
}

#define malloc(p)  ((void *)(size_t)at(__builtin_bit_cast(piece, *(const piece *)(p))))
#define _mm_malloc load
#define _mm_free   forget
#include <mm_malloc.h>
#undef malloc

#include "conv1d/attack.h"

#define UNSEEN(p) __uint_as_float((unsigned)(size_t)load((size_t)(p), 1))

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
