/* family 3: jumps out of a kernel to where it was launched
 * task device
 * full
 * grade: rejected|build; points <= 0; reason: calls _setjmp|setjmp|longjmp
 * without leaving: unsafe|crash; points >= 1.25 */
#include <setjmp.h>

#define ATTACK_KERNEL
#include "conv1d/attack.h"

static jmp_buf out;

static __global__ void jump(const float *x, const float *w, float *y, int n, int radius)
{
    (void)x, (void)w, (void)y, (void)n, (void)radius;
    if (threadIdx.x == 0)
        longjmp(out, 1);
}

RUN
{
    if (setjmp(out) == 0)
        jump<<<1, 32>>>(x, w, y, (int)p->n, p->radius);
    return answer_on_device(p, x, w, y);
}
SUBMISSION
