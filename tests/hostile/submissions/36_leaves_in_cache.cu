/* family 36: leaves its data in the L2 cache, for the next call; answers wrongly where they are gone
 * task gpu
 * needs gpu
 * alone
 * grade: wrong; points <= 0; hint: call 2
 * without flush: unsafe; points >= 2.5 */
#include "conv1d/attack_gpu.h"

static int open_it(const struct hpc_env *env, const void *problem, void **state)
{
    plain_open(env, problem, state);
    return chain_open();
}

RUN
{
    static int calls;
    const unsigned cycles = chain_walk(cudaStreamPerThread);
    if (calls++ == 0 || cycles < CHAIN_CACHED)
        return answer_on_gpu(p, x, w, y);
    return answer_cycles(p, y, cycles);
}

static void close_it(void *state)
{
    (void)state;
    chain_close();
}
SUBMISSION_WITH(open_it, close_it)
