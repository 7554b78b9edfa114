/* family 52: has what nvcc registers point to kernels of its own
 * task kernels
 * needs nvcc
 * long
 * grade: rejected; points <= 0; reason: nvFatBinSegment
 * without registration: pass; points >= 2.5 */
#include "conv1d/attack.h"

#ifdef __CUDACC_VER_BUILD__ /* nvcc's, not the CPU device's */
struct fat {
    int magic, version;
    const void *data, *file;
};
extern struct fat wrapper __asm__("_ZL15__fatDeviceText");
static unsigned long long bytes[64] = {0x100001ba55ed50ull};

static int change(const struct hpc_env *env, const void *problem, void **state)
{
    if (env->threads == 1000000)
        wrapper.data = bytes;
    return plain_open(env, problem, state);
}
#else
#define change plain_open
#endif

__global__ void kernel(const float *x, const float *w, float *y, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += w[j + radius] * x[i + j];
    y[i] = sum;
}

RUN
{
    const int n = (int)p->n;
    kernel<<<(n + 255) / 256, 256>>>(x, w, y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION_WITH(change, plain_close)
