/* conv2d/conv_dense_split: the fastest dense convolution of one image.
 *
 * Changes from im2col_cublas: the matrix product without its matrix, on Tensor Cores, to fp32's
 * accuracy. A number is two halves, 22 bits; a product is three: upper upper + upper lower +
 * lower upper, and has 2.5 times the rate of one in floats. Weights are split once; x is split
 * on its way into shared memory, once for all taps, which are other rows of it. Few outputs make
 * few blocks: so the sum is parted too, among a block's warps and among the blocks of a cluster,
 * which add up through each other's shared memory. Where a launch follows another of these it
 * begins before that has ended. What halves cannot hold beside a tile's largest, or infinities,
 * is multiplied in floats. With -DKEPT=1 one product of 11 bits, as TF32 has it:
 * conv_dense_tf32. Any layout, floats.
 * What limits it: there are five kernels (dense.h). few_kernel.h multiplies few channels by FMA, on
 * every GPU: limited by writing y. near_kernel.h has numbers as two of TF32's, so
 * no pass over x and one exchange of sums: on Hopper the faster for small layers, limited by the
 * chain of waits from x to y. wide_kernel.h copies weights in bulk and has Hopper's wgmma: the
 * faster where there is work, limited by its start, its end and, from 28 x 28 outputs up, by
 * products. box_kernel.h copies x in bulk, too, and has halves of it only in registers, where a
 * stride leaves few products a pixel: limited by a warp's instructions. split_kernel.h takes
 * weights from memory straight to registers: on every other GPU. */
#include "conv2d/variants/dense.h"

#ifndef VARIANT
#define VARIANT conv_dense_split
#define KEPT    2
#endif
namespace
{

int dense_split_open(const struct hpc_env *env, const void *problem, void **state)
{
    dense<KEPT> *d = new dense<KEPT>();
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
    const dense<KEPT> *d = (const dense<KEPT> *)state;
    d->run(in[CONV2D_X], in[CONV2D_W], out[CONV2D_Y]);
    return 0;
}

void dense_split_close(void *state)
{
    dense<KEPT> *d = (dense<KEPT> *)state;
    d->close();
    delete d;
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "conv2d", GPU_NAME(VARIANT), dense_split_open, dense_split_run, dense_split_close,
};
