/* The convolution by the best that cuDNN can do: cudnn_search.h. Any layout and type. */
#include "conv2d/variants/cudnn_search.h"

#ifndef VARIANT
#define VARIANT cudnn_best
#endif
#define TEXT(name)  #name
#define NAME(macro) TEXT(macro)

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
    HPC_ABI, "conv2d", NAME(VARIANT), best_open, best_run, best_close,
};
