/* conv2d/cudnn: the convolution by cuDNN, one algorithm each.
 *
 * Changes from im2col_cublas: a library has the whole convolution, and need not store D.
 * variants.ini builds this file once for each of cuDNN's algorithms, with -DVARIANT=cudnn_gemm
 * -DALGORITHM=CUDNN_CONVOLUTION_FWD_ALGO_GEMM and so on, and once as cuDNN chooses itself. Any
 * layout and type; open() refuses what cuDNN does not support, and non-fused Winograd of 5 x 5
 * filters in fp32: cuDNN 9.19 on an H200 errs there as TF32 does (210 times as much as the
 * others), though CUDNN_FMA_MATH was asked for.
 * What limits it: the algorithm. cuDNN chooses without a measurement. */
#include "conv2d/variants/cudnn_forward.h"

#ifndef VARIANT
#define VARIANT   cudnn
#define ALGORITHM CUDNN_CHOOSES
#endif
namespace
{

struct with_algorithm : cudnn_forward {
    bool open(const struct conv2d_problem &p)
    {
        return !in_tf32_anyway(ALGORITHM, p) && cudnn_forward::open(p, ALGORITHM);
    }
};

int forward_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    *state = shared<with_algorithm>::open(*(const struct conv2d_problem *)problem);
    return *state == NULL;
}

int forward_run(void *state, const void *const in[], void *const out[])
{
    ((const with_algorithm *)state)->run(in[CONV2D_X], in[CONV2D_W], out[CONV2D_Y]);
    return 0;
}

void forward_close(void *state)
{
    shared<with_algorithm>::close((with_algorithm *)state);
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "conv2d", GPU_NAME(VARIANT), forward_open, forward_run, forward_close,
};
