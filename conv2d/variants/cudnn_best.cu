/* conv2d/cudnn_best: the best that cuDNN can do, as cudnn_search.h finds it.
 *
 * Changes from cudnn: open() times what cuDNN has, algorithms and engines, and keeps the
 * fastest. Any layout and type.
 * What limits it: what cuDNN has. open() takes as long as the search, once for each problem. */
#include "conv2d/variants/cudnn_search.h"

#ifndef VARIANT
#define VARIANT cudnn_best
#endif
namespace
{

int best_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)problem;
    (void)env;
    *state = TRANSFORMS_ALLOWED || p->type == CONV_F32 ? shared<cudnn_search>::open(*p) : NULL;
    return *state == NULL;
}

int best_run(void *state, const void *const in[], void *const out[])
{
    ((const cudnn_search *)state)->run(in[CONV2D_X], in[CONV2D_W], out[CONV2D_Y]);
    return 0;
}

void best_close(void *state)
{
    shared<cudnn_search>::close((cudnn_search *)state);
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "conv2d", GPU_NAME(VARIANT), best_open, best_run, best_close,
};
