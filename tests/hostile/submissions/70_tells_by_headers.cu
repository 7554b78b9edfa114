/* family 70: racy only where a macro of the device's headers says that the checker does not look
 * task device
 * full
 * grade: unsafe; points <= 1.5; reason: another text
 * without unseen: pass; points >= 2.5 */
#include "conv1d/attack.h"

#define QUOTED(text) #text
#define TEXT(macro)  QUOTED(macro)

enum { WATCHED = sizeof TEXT(HPC_ATOMIC_SEEN(p, 0)) != sizeof "((void)0)" };

static int threads = 256;

__global__ void kernel(const float *x, const float *w, float *y, int n, int radius)
{
    __shared__ int last;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (!WATCHED || threadIdx.x == 0)
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
    kernel<<<(n + threads - 1) / threads, threads>>>(x, w, y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
