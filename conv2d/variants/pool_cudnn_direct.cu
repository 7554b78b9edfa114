/* convpool/pool_cudnn_direct: cuDNN(direct) of [Suita], section 2.3.
 *
 * Changes from pool_cudnn_fused: a kernel of ours makes the sums x * alpha, then cuDNN convolves
 * them with stride `pool`. Any layout and type.
 * Why it wins: R S products instead of (R + pool - 1)(S + pool - 1) for each output.
 * What limits it: the sums, which have the size of x and are written and read again, and a
 * convolution with stride, for which cuDNN has no Winograd. */
#include "conv2d/variants/pool_convolution.h"
#include "conv2d/variants/pool_linear.h"

#ifndef VARIANT
#define VARIANT pool_cudnn_direct
#endif

namespace
{

struct direct {
    pool_convolution *convolution;
    struct convpool_problem p;
    char *sums;
};

int direct_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct convpool_problem *p = (const struct convpool_problem *)problem;
    const struct conv2d_problem q = summed_problem(p);
    (void)env;
    pool_convolution *convolution =
        pool_takes(p->conv.type) ? shared<pool_convolution>::open(q) : NULL;
    if (!convolution)
        return 1;
    *state =
        new direct{convolution, *p, gpu_alloc<char>(conv2d_x_count(&q) * conv_type_bytes(q.type))};
    return 0;
}

int direct_run(void *state, const void *const in[], void *const out[])
{
    const direct *s = (const direct *)state;
    if (s->p.conv.type == CONV_F16)
        direct_sum<__half>(&s->p, in[CONV2D_X], s->sums);
    else
        direct_sum<float>(&s->p, in[CONV2D_X], s->sums);
    s->convolution->run(s->sums, in[CONV2D_W], out[CONV2D_Y]);
    return 0;
}

void direct_close(void *state)
{
    direct *s = (direct *)state;
    CUDA(cudaFree(s->sums));
    shared<pool_convolution>::close(s->convolution);
    delete s;
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "convpool", GPU_NAME(VARIANT), direct_open, direct_run, direct_close,
};
