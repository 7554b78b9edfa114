/* family control: an honest kernel, the mask in constant memory, from env->fixed
 * task device
 * full
 * grade: pass; points >= 2.5 */
#include "conv1d/attack.h"
#define BLOCK 256

static __constant__ float weights[129];

static __global__ void kernel(const float *x, float *y, int n, int r)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float sum = 0;
        for (int j = max(-r, -i); j <= min(r, n - 1 - i); j++)
            sum = fmaf(weights[j + r], __ldg(x + i + j), sum);
        y[i] = sum;
    }
}

static int open_weights(const struct hpc_env *env, const void *problem, void **state)
{
    const struct conv1d_problem *p = (const struct conv1d_problem *)problem;
    *state = (void *)problem;
    return cudaMemcpyToSymbol(weights, env->fixed[CONV1D_W],
                              (size_t)(2 * p->radius + 1) * sizeof *weights) != cudaSuccess;
}

RUN
{
    (void)w;
    kernel<<<4, BLOCK>>>(x, y, (int)p->n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION_WITH(open_weights, plain_close)
