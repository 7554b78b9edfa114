/* family 52: has what nvcc registers point to kernels of its own
 * task kernels
 * needs nvcc
 * long
 * grade: rejected; points <= 0; reason: nvFatBinSegment
 * without registration: pass; points >= 2.5 */
#define ATTACK_KERNEL
#include "conv1d/attack.h"

#ifdef __CUDACC_VER_BUILD__ /* nvcc's, not the CPU device's */
struct fat {
    int magic, version;
    const void *data, *file;
};
extern struct fat wrapper __asm__("_ZL15__fatDeviceText");
static unsigned long long bytes[64] = {0x100001ba55ed50ull};

static int change(const struct hpc_env *env, const void *problem, void **state)
{
    if (env->threads == 1000000)
        wrapper.data = bytes;
    return plain_open(env, problem, state);
}
#else
#define change plain_open
#endif

RUN
{
    return answer_on_device(p, x, w, y);
}
SUBMISSION_WITH(change, plain_close)
