/* The fastest dense convolution of one image: the matrix product of im2col_cublas.cu on Tensor
 * Cores, without its matrix, to fp32's accuracy.
 *
 * A number is two halves, 22 bits; a product is three: upper upper + upper lower + lower upper, and
 * has 2.5 times the rate of one in floats (split_weights.h, split_patch.h). Weights are split once
 * and come straight from memory into registers, in the order of the lanes, each once a block; x is
 * split on its way into shared memory, once for all taps, which are other rows of it. Few outputs
 * make few blocks: so the sum is parted too, among a block's warps and among the blocks of a
 * cluster, which add up through each other's shared memory (split_plan.h has the rule;
 * split_kernel.h and split_warp.h the kernel). Where a launch follows another of these it begins before that has
 * ended, and has its weights in the L2 when x may be read.
 *
 * A tile of x with numbers that halves can't hold beside its largest, or with infinities, is
 * multiplied in floats. With -DKEPT=1 one product of 11 bits, as TF32 has it: conv_dense_tf32.
 * Any layout, floats. Limited by latency (launch, x, weights, sums) up to 28 x 28 outputs, then by
 * mma.sync, which has 0.6 of the rate of Hopper's own wgmma. */
#include "conv2d/variants/dense_split.h"

#ifndef VARIANT
#define VARIANT conv_dense_split
#define KEPT    2
#endif
#define TEXT(macro) #macro
#define NAME(macro) TEXT(macro)

namespace
{

int dense_split_open(const struct hpc_env *env, const void *problem, void **state)
{
    dense_split<KEPT> *d = new dense_split<KEPT>();
    const struct conv2d_problem *p = (const struct conv2d_problem *)problem;
    if (!d->open(*p, env->fixed[CONV2D_W])) {
        d->close();
        delete d;
        return 1;
    }
    *state = d;
    return 0;
}

int dense_split_run(void *state, const void *const in[], void *const out[])
{
    const dense_split<KEPT> *d = (const dense_split<KEPT> *)state;
    d->run(in[CONV2D_X], in[CONV2D_W], out[CONV2D_Y]);
    return 0;
}

void dense_split_close(void *state)
{
    dense_split<KEPT> *d = (dense_split<KEPT> *)state;
    d->close();
    delete d;
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "conv2d", NAME(VARIANT), dense_split_open, dense_split_run, dense_split_close,
};
