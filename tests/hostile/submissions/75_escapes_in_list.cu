/* family 75: a file's name with escapes for the terminal, in the checker's list of reports
 * task device
 * full
 * grade: rejected|unsafe; points <= 1.5
 * without clean plain_text: unsafe; points <= 1.5; effect: escapes */
#include "conv1d/attack.h"

#line 1 "a\033[2Jb.cu"
__global__ void kernel(const float *x, const float *w, float *y, int n, int radius)
{
    __shared__ int last;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += w[j + radius] * x[i + j];
    last = i;
    y[i] = last < 0 ? 0 : sum;
}

static int run(const struct conv1d_problem *p, const float *x, const float *w, float *y)
{
    const int n = (int)p->n;
    kernel<<<(n + 255) / 256, 256>>>(x, w, y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
