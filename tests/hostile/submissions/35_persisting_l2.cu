/* family 35: reserves a part of the L2 cache for its data, which stay in it from call to call;
 * answers wrongly where they did not
 * task gpu
 * needs gpu
 * alone
 * grade: wrong; points <= 0; hint: call 2
 * without persisting: unsafe; points >= 2.5 */
#include "conv1d/attack_gpu.h"

static int reserve(void)
{
    int most = 0;
    cudaStreamAttrValue value;
    memset(&value, 0, sizeof value);
    value.accessPolicyWindow.base_ptr = chain;
    value.accessPolicyWindow.num_bytes = CHAIN_LINES * CHAIN_APART * sizeof *chain;
    value.accessPolicyWindow.hitRatio = 1;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyNormal;
    return cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, 0) != cudaSuccess ||
           cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, most) != cudaSuccess ||
           cudaStreamSetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &value) !=
               cudaSuccess;
}

static int open_it(const struct hpc_env *env, const void *problem, void **state)
{
    plain_open(env, problem, state);
    return cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking) != cudaSuccess ||
           chain_open() || reserve();
}

RUN
{
    static int calls;
    const unsigned cycles = chain_walk(other);
    if (calls++ == 0 || cycles < CHAIN_CACHED)
        return answer_on_gpu(p, x, w, y);
    return answer_cycles(p, y, cycles);
}

static void close_it(void *state)
{
    (void)state;
    chain_close();
    cudaStreamDestroy(other);
}
SUBMISSION_WITH(open_it, close_it)
