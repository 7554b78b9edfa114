/* family 3: throws out of a kernel to where it was launched
 * task device
 * full
 * grade: rejected|build; points <= 0; reason: __cxa_throw|exception
 * without leaving: unsafe|crash; points >= 1.25 */
#define ATTACK_KERNEL
#include "conv1d/attack.h"

static __global__ void jump(const float *x, const float *w, float *y, int n, int radius)
{
    (void)x, (void)w, (void)y, (void)n, (void)radius;
    if (threadIdx.x == 0)
        throw 1;
}

RUN
{
    try {
        jump<<<1, 32>>>(x, w, y, (int)p->n, p->radius);
    } catch (int) {
    }
    return answer_on_device(p, x, w, y);
}
SUBMISSION
