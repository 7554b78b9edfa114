/* family 71: takes stderr's descriptor away while the checker tells of its race, and gives it back
 * for the last word
 * task device
 * full
 * grade: unsafe|rejected; points <= 1.5; reason: race
 * structural: the checker writes past stdio */
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
    const int n = (int)p->n, kept = stderr->_fileno;
    stderr->_fileno = -1;
    kernel<<<(n + threads - 1) / threads, threads>>>(x, w, y, n, p->radius);
    const int failed = cudaGetLastError() != cudaSuccess;
    stderr->_fileno = kept;
    return failed;
}
SUBMISSION
