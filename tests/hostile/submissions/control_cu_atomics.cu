/* family control: an honest kernel, products added up by atomic operations
 * task device
 * full
 * grade: pass; points >= 2.5 */
#include "conv1d/attack.h"
#define BLOCK 128

static __global__ void kernel(const float *x, const float *w, float *y, int n, int r)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = (int)blockIdx.y - r;
    if (i < n && i + j >= 0 && i + j < n)
        atomicAdd(&y[i], w[j + r] * x[i + j]);
}

RUN
{
    const int n = (int)p->n;
    if (cudaMemsetAsync(y, 0, (size_t)n * sizeof *y, cudaStreamPerThread) != cudaSuccess)
        return 1;
    kernel<<<dim3((n + BLOCK - 1) / BLOCK, 2 * p->radius + 1), BLOCK>>>(x, w, y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
