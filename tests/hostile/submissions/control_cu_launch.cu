/* family control: an honest kernel, launched by cudaLaunchKernel on a stream of its own, with a flag and a fence
 * task device
 * full
 * grade: pass; points >= 2.5 */
#include "conv1d/attack.h"
#define BLOCK 256

static __device__ unsigned arrived;

static __global__ void kernel(const float *x, const float *w, float *y, int n, int r)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i < n) {
        for (int j = -r; j <= r; j++)
            if (i + j >= 0 && i + j < n)
                sum += w[j + r] * x[i + j];
        y[i] = sum;
    }
    __syncthreads();
    __threadfence();
    if (threadIdx.x == 0 && atomicAdd(&arrived, 1) == gridDim.x - 1)
        arrived = 0; /* by the last block */
}

RUN
{
    int n = (int)p->n, r = p->radius;
    void *arguments[] = {&x, &w, &y, &n, &r};
    return cudaLaunchKernel(kernel, dim3((n + BLOCK - 1) / BLOCK), dim3(BLOCK), arguments) !=
           cudaSuccess;
}
SUBMISSION
