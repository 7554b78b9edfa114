/* family 52: puts kernels of its own, as bytes, beside those of nvcc's
 * task kernels
 * needs nvcc
 * long
 * grade: rejected; points <= 0; reason: a binary of kernels
 * without registration: pass; points >= 2.5 */
#define ATTACK_KERNEL
#include "conv1d/attack.h"

#ifdef __CUDACC_VER_BUILD__ /* nvcc's, not the CPU device's */
__attribute__((section(".nv_fatbin"), used)) static const unsigned long long bytes[64] = {
    0x100001ba55ed50ull};
#endif

RUN
{
    return answer_on_device(p, x, w, y);
}
SUBMISSION
