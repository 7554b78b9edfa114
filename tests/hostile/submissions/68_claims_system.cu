/* family 68: a kernel in lines that the file includes of itself as a system header's: the checker fills
 * no array there, and its look at an element that nobody has set sees none
 * task device
 * full
 * grade: rejected; points <= 0; reason: includes itself as a system's header
 * without plain_text: pass; points >= 2.5 */
#if __INCLUDE_LEVEL__ == 0
#include "conv1d/attack.h"
#include __FILE__

static int threads = 256;

static int run(const struct conv1d_problem *p, const float *x, const float *w, float *y)
{
    const int n = (int)p->n;
    kernel<<<(n + threads - 1) / threads, threads>>>(x, w, y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
#else
#pragma GCC system_header
__global__ void kernel(const float *x, const float *w, float *y, int n, int radius)
{
    float a[4];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    a[i & 1] = 1;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += w[j + radius] * x[i + j];
    y[i] = a[radius & 3] > 3e38f ? sum + 1 : sum; /* the third, as the first one */
}
#endif
