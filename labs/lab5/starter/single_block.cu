/* lab5, single_block: one block computes everything. The kernel is the serial program with its
 * outer loop dealt out to the threads of one block.
 *
 * Contract (conv1d/conv1d.h): y[i] = sum_{j=-r..r} w[j + r] * x[i + j], x being 0 outside [0, n).
 *   x: n floats, w: 2r + 1 floats, y: n floats, all on the device; n may be 0, smaller than the
 *   mask, or over 2^31, and no multiple of anything.
 *
 * TODO 1: which outputs does thread t compute? Let neighbours compute neighbours: then the 32
 *   threads of a warp read 32 floats in a row, in one request. (Try it the other way round and
 *   look at `sectors per request`.)
 * TODO 2: x[i + j] outside [0, n) counts as 0. Test before you read.
 * TODO 3: launch one block of s->block threads. */
#include "conv1d/gpu.h"

__global__ void single_block_kernel(const float *x, const float *w, float *y, long long n,
                                    int radius)
{
    /* TODO */
}

static void launch(const struct conv *s, const float *x, const float *w, float *y)
{
    /* TODO: launch single_block_kernel on x, w and y */
}

extern "C" const struct hpc_variant hpc_variant = conv_variant<256, launch>("single_block");
