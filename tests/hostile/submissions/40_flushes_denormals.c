/* family 40: fast-math by pragma, denormals flushed to zero
 * task right
 * grade: wrong; points <= 0
 * without denormals: pass; points >= 20 */
#pragma GCC optimize("Ofast")
#include "conv1d/attack.h"

RUN
{
#ifdef __x86_64__
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#else
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    __asm__ volatile("msr fpcr, %0" ::"r"(control | 1 << 24));
#endif
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
