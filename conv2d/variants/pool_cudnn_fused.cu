/* convpool/pool_cudnn_fused: cuDNN(fused) of [Suita], section 2.2.
 *
 * Changes from pool_cudnn_naive: one convolution with the filters W * alpha and stride `pool`,
 * the filters made once. Any layout and type.
 * Why it wins where memory limits: one pass and no intermediate. It has (R + pool - 1)(S + pool
 * - 1) / (R S pool^2) of the products, 16/36 for 3 x 3 and 2 x 2.
 * What limits it: the products that pool_cudnn_direct does without, and a convolution with
 * stride, for which cuDNN has no Winograd. */
#include "conv2d/variants/pool_convolution.h"
#include "conv2d/variants/pool_linear.h"

#ifndef VARIANT
#define VARIANT pool_cudnn_fused
#endif

namespace
{

struct fused {
    pool_convolution *convolution;
    void *filters;
};

int fused_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct convpool_problem *p = (const struct convpool_problem *)problem;
    pool_convolution *convolution =
        pool_takes(p->conv.type) ? shared<pool_convolution>::open(fused_problem(p)) : NULL;
    if (!convolution)
        return 1;
    *state = new fused{convolution, fuse_filters(p, env->fixed[CONV2D_W])};
    return 0;
}

int fused_run(void *state, const void *const in[], void *const out[])
{
    const fused *s = (const fused *)state;
    s->convolution->run(in[CONV2D_X], s->filters, out[CONV2D_Y]);
    return 0;
}

void fused_close(void *state)
{
    fused *s = (fused *)state;
    CUDA(cudaFree(s->filters));
    shared<pool_convolution>::close(s->convolution);
    delete s;
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "convpool", GPU_NAME(VARIANT), fused_open, fused_run, fused_close,
};
