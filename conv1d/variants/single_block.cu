/* conv1d/single_block: the formula on a GPU, by one block of threads. [Dong], section 4, task 1.
 *
 * Changes from cpu: up to 1024 outputs at a time, neighbouring threads at neighbouring outputs, so
 * that a warp's 32 reads of x for one tap are 4 or 5 sectors of 32 bytes, and its writes 4.
 * What limits it: one of the GPU's 132 multiprocessors works, and too few loads are under way to
 * hide that each takes half a microsecond. */
#include <stdlib.h>

#include "conv1d/conv1d.h"

struct conv {
    int64_t n;
    int radius, threads;
};

__global__ void single_block_kernel(const float *x, const float *w, float *y, int64_t n, int radius)
{
    for (int64_t i = threadIdx.x; i < n; i += blockDim.x) {
        float sum = 0;
        for (int j = -radius; j <= radius; j++)
            if (i + j >= 0 && i + j < n)
                sum += w[j + radius] * x[i + j];
        y[i] = sum;
    }
}

static int conv_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct conv1d_problem *p = (const struct conv1d_problem *)problem;
    struct conv *s = (struct conv *)calloc(1, sizeof *s);
    (void)env;
    if (!s)
        return 1;
    s->n = (int64_t)p->n;
    s->radius = p->radius;
    s->threads = p->block ? p->block : 1024;
    *state = s;
    return 0;
}

static int conv_run(void *state, const void *const in[], void *const out[])
{
    const struct conv *s = (const struct conv *)state;
    single_block_kernel<<<1, s->threads>>>((const float *)in[CONV1D_X], (const float *)in[CONV1D_W],
                                           (float *)out[CONV1D_Y], s->n, s->radius);
    return cudaGetLastError() != cudaSuccess;
}

static void conv_close(void *state)
{
    free(state);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,   "conv1d", "single_block",
                                                   conv_open, conv_run, conv_close};
