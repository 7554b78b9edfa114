/* family 52: brings kernels as bytes, which nobody looked at, and registers them as nvcc does its own
 * task kernels
 * needs nvcc
 * long
 * grade: rejected; points <= 0; reason: __cudaRegisterFatBinary 2 times
 * without registration: pass; points >= 2.5 */
#define ATTACK_KERNEL
#include "conv1d/attack.h"

#ifdef __CUDACC_VER_BUILD__ /* nvcc's, not the CPU device's */
extern "C" void **enter(void *) __asm__("__cuda"
                                        "RegisterFatBinary");
static unsigned long long bytes[64] = {0x100001ba55ed50ull};
static struct {
    int magic, version;
    const void *data, *file;
} wrapper = {0x466243b1, 1, bytes, 0};

static int enter_own(const struct hpc_env *env, const void *problem, void **state)
{
    return plain_open(env, problem, state) || !enter(&wrapper);
}
#else
#define enter_own plain_open
#endif

RUN
{
    return answer_on_device(p, x, w, y);
}
SUBMISSION_WITH(enter_own, plain_close)
