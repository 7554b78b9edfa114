/* family 68: a variable that nobody sets holds what the thread of that number before it left there:
 * all of the inputs, which the first block has loaded
 * task counted
 * full
 * grade: wrong; points <= 0; reason: case counted
 * structural: the compiler of checked kernels sets what nobody sets */
#include "conv1d/attack_stack.h"

__attribute__((noinline)) __device__ float sum_of(const float *x, const float *w, int n, int radius,
                                                  int i)
{
    float kept[1600] __attribute__((aligned(16)));
    return sum_kept(kept, x, w, n, radius, i);
}
