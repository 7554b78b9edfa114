/* family 68: below its frames each thread finds what the thread of that number before it left
 * there: all of the inputs, which the first block has loaded
 * task counted
 * full
 * grade: unsafe; points <= 0.5; reason: host memory in kernel
 * structural: where a stack ends is told by the frames that are open */
#include "conv1d/attack_stack.h"

__attribute__((noinline)) __device__ float sum_of(const float *x, const float *w, int n, int radius,
                                                  int i)
{
    float *kept = (float *)(((size_t)&radius - 32000) & ~(size_t)15);
    return sum_kept(kept, x, w, n, radius, i);
}
