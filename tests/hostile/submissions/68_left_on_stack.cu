/* family 68: each thread finds on its stack what the thread of that number before it left there:
 * all of the inputs, which the first block has loaded
 * task counted
 * full
 * grade: rejected; points <= 0; reason: has memory on the stack
 * without unset_stack: pass; points >= 2.5 */
#include "conv1d/attack_stack.h"

__attribute__((noinline)) __device__ float sum_of(const float *x, const float *w, int n, int radius,
                                                  int i)
{
    float *kept = (float *)__builtin_alloca(1600 * sizeof(float));
    return sum_kept(kept, x, w, n, radius, i);
}
