/* family control: an honest kernel, dynamic shared memory, a window that moves on
 * task device
 * full
 * grade: pass; points >= 2.5 */
#include "conv1d/attack.h"
#define BLOCK 64

static __global__ void kernel(const float *x, const float *w, float *y, int n, int r)
{
    extern __shared__ float window[];
    const int t = threadIdx.x, width = BLOCK + 2 * r;
    for (int first = 0; first < n; first += BLOCK) {
        __syncthreads();
        for (int k = t; k < width; k += BLOCK) {
            const int i = first - r + k;
            window[k] = (unsigned)i < (unsigned)n ? x[i] : 0;
        }
        __syncthreads();
        float sum = 0;
        for (int j = 0; j <= 2 * r; j++)
            sum += w[j] * window[t + j];
        if (first + t < n)
            y[first + t] = sum;
    }
}

RUN
{
    const size_t bytes = (BLOCK + 2 * (size_t)p->radius) * sizeof(float);
    kernel<<<1, BLOCK, bytes>>>(x, w, y, (int)p->n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
