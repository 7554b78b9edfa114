/* The frame of a GPU variant of conv1d: what open() keeps, and how run() comes to a launch. A
 * variant is its head comment, its kernel and these lines:
 *
 *   static void launch(const struct conv *s, const float *x, const float *w, float *y)
 *   {
 *       some_kernel<<<conv_blocks(s), s->block>>>(x, w, y, s->n, s->radius);
 *   }
 *
 *   extern "C" const struct hpc_variant hpc_variant = conv_variant<256, launch>("some");
 *
 * 256 is the block of a problem that leaves the choice to the variant. conv_variant<256, launch,
 * keep> has open() call keep(s, mask), with the mask where the host can read it: from there it can
 * be copied into constant memory, once. */
#ifndef HPC_CONV1D_GPU_H
#define HPC_CONV1D_GPU_H

#include <limits.h>
#include <stdlib.h>

#include "conv1d/conv1d.h"

struct conv {
    int64_t n;  /* outputs */
    int radius; /* the mask has 2 * radius + 1 taps */
    int block;  /* threads of a block */
};

/* x, w and y on the device; n > 0, for a grid of no blocks is an error. A launch that fails needs
 * no word: conv_run asks CUDA for it. */
typedef void conv_launch(const struct conv *s, const float *x, const float *w, float *y);
typedef cudaError_t conv_keep(const struct conv *s, const float *mask);

/* Blocks for all outputs, `outputs` a thread: rounded up. */
static inline unsigned conv_blocks(const struct conv *s, int outputs = 1)
{
    const int64_t of_block = (int64_t)s->block * outputs;
    return (unsigned)((s->n + of_block - 1) / of_block);
}

/* What keep may do: nothing, where kernels read the mask that run() is given. */
static inline cudaError_t conv_keep_nothing(const struct conv *, const float *)
{
    return cudaSuccess;
}

static inline void conv_close(void *state)
{
    free(state);
}

template <int BLOCK, conv_keep *KEEP>
static int conv_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct conv1d_problem *p = (const struct conv1d_problem *)problem;
    struct conv *s = (struct conv *)calloc(1, sizeof *s);
    if (!s)
        return 1;
    *state = s;
    s->n = (int64_t)p->n;
    s->radius = p->radius;
    s->block = p->block ? p->block : BLOCK;
    if (s->n / s->block < INT_MAX && KEEP(s, (const float *)env->fixed[CONV1D_W]) == cudaSuccess)
        return 0;
    conv_close(s);
    return 1;
}

template <conv_launch *LAUNCH>
static int conv_run(void *state, const void *const in[], void *const out[])
{
    const struct conv *s = (const struct conv *)state;
    if (s->n > 0)
        LAUNCH(s, (const float *)in[CONV1D_X], (const float *)in[CONV1D_W], (float *)out[CONV1D_Y]);
    return cudaGetLastError() != cudaSuccess;
}

template <int BLOCK, conv_launch *LAUNCH, conv_keep *KEEP = conv_keep_nothing>
constexpr struct hpc_variant conv_variant(const char *name)
{
    return {HPC_ABI, "conv1d", name, conv_open<BLOCK, KEEP>, conv_run<LAUNCH>, conv_close};
}

#endif
