/* family 71: prints half a line, so that a report of its race begins in the middle of one
 * task device
 * full
 * grade: unsafe; points <= 1.5; reason: race
 * without any_column all_reports: pass; points >= 2.5 */
#include "conv1d/attack.h"

static int threads = 256;

__global__ void kernel(const float *x, const float *w, float *y, int n, int radius)
{
    __shared__ int last;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    last = threadIdx.x; /* by all threads at once */
    for (int j = -radius; i < n && j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += w[j + radius] * x[i + j];
    __syncthreads();
    if (i < n)
        y[i] = last >= 0 ? sum : 0;
}

RUN
{
    const int n = (int)p->n;
    fputs("x", stderr);
    kernel<<<(n + threads - 1) / threads, threads>>>(x, w, y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
