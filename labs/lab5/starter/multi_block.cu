/* lab5, multi_block: one thread for each output, as many blocks as that takes. [Dong], Code 2,
 * but with the zero padding that the contract asks for.
 *
 * Contract (conv1d/conv1d.h): y[i] = sum_{j=-r..r} w[j + r] * x[i + j], x being 0 outside [0, n).
 *   x: n floats, w: 2r + 1 floats, y: n floats, all on the device; n may be 0, smaller than the
 *   mask, or over 2^31, and no multiple of anything.
 *
 * TODO 1: the output that a thread computes, from blockIdx, blockDim and threadIdx. An int holds
 *   no more than 2^31 - 1: which product has to be 64 bits wide, and how do you make it so?
 * TODO 2: the last block has threads without an output. All others write theirs, the first and
 *   last r too: the code in the report returns early there.
 * TODO 3: how many blocks? Rounded up. (A launch of none is an error: conv_run in conv1d/gpu.h
 * tests for n = 0.) */
#include "conv1d/gpu.h"

__global__ void multi_block_kernel(const float *x, const float *w, float *y, long long n,
                                   int radius)
{
    /* TODO */
}

static void launch(const struct conv *s, const float *x, const float *w, float *y)
{
    /* TODO: launch multi_block_kernel on x, w and y */
}

extern "C" const struct hpc_variant hpc_variant = conv_variant<256, launch>("multi_block");
