/* family 3: jumps out of a kernel by what needs no library, to where it was launched
 * task device
 * full
 * grade: rejected|build; points <= 0; reason: jumps out of a function|longjmp
 * without leaving: unsafe|crash; points >= 1.25 */
#define ATTACK_KERNEL
#include "conv1d/attack.h"

static void *out[5];

static __global__ void jump(const float *x, const float *w, float *y, int n, int radius)
{
    (void)x, (void)w, (void)y, (void)n, (void)radius;
    if (threadIdx.x == 0)
        __builtin_longjmp(out, 1);
}

RUN
{
    if (__builtin_setjmp(out) == 0)
        jump<<<1, 32>>>(x, w, y, (int)p->n, p->radius);
    return answer_on_device(p, x, w, y);
}
SUBMISSION
