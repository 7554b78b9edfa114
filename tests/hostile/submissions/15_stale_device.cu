/* family 15: hopes for the answer in device memory that was freed
 * task device
 * grade: wrong; points <= 0
 * structural: a process a block, so that no memory of another is there */
#include "conv1d/attack.h"

static int threads = 256;


static int run(const struct conv1d_problem *p, const float *x, const float *w, float *y)
{
    float *old = NULL;
    (void)x;
    (void)w;
    if (cudaMalloc((void **)&old, p->n * sizeof *old) != cudaSuccess)
        return 1;
    cudaMemcpy(y, old, p->n * sizeof *old, cudaMemcpyDeviceToDevice);
    return cudaFree(old) != cudaSuccess;
}
SUBMISSION
