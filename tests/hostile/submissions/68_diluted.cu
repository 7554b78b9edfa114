/* family 68: a warp's accesses lie far apart, and many that cost little make their mean small
 * task coalesced
 * full
 * grade: pass; points <= 1; reason: global_load_sectors_per_request: 3
 * without undiluted: pass; points >= 2.5 */
#include "conv1d/attack.h"

__global__ void kernel(const float *x, const float *w, float *y, int n, int radius)
{
    const int each = (n + blockDim.x - 1) / blockDim.x, first = threadIdx.x * each;
    for (int i = first; i < first + each && i < n; i++) {
        float sum = 0;
        for (int j = -radius; j <= radius; j++)
            if (i + j >= 0 && i + j < n) {
                for (int k = 0; k < 10; k++)
                    sum += 0 * ((const volatile float *)w)[j + radius];
                sum += w[j + radius] * x[i + j];
            }
        y[i] = sum;
        for (int k = 0; k < 20; k++)
            if (threadIdx.x % 32 == k)
                ((volatile float *)y)[i] = sum;
    }
}

RUN
{
    kernel<<<1, 64>>>(x, w, y, (int)p->n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
