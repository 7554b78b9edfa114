/* lab7, window_format: the storage format of [Xu], section IV-A (Algorithm 1), of one map and one
 * filter, into global memory, where you can look at it.
 * sparse_window will keep it in shared memory.
 *
 * Contract (conv2d/window_format.h): window i = p * Q + q has R S places, row by row; place
 *   (r, s) is x[p * stride + r - pad][q * stride + s - pad], or 0 outside of the map.
 *     f_data[i][0 ..]  its values that are not zero, in this order, without gaps
 *     k_data[i][0 ..]  beside each of them the weight w[r][s] that it meets
 *     ptr[i]           how many, or -1 where there is none
 *   f_data and k_data have R S floats a window; what stands behind the last does not matter.
 *
 *     window   0 5 0      filter  a b c      f_data  5 7 2
 *              0 0 0              d e f      k_data  b g i
 *              7 0 2              g h i      ptr     3
 *
 * TODO 1: a thread for each window, also for the last ones.
 * TODO 2: its places: which are inside of the map?
 * TODO 3: store what is not zero and count; then ptr. */
#include <stdlib.h>

#include "conv2d/window_format.h"

__global__ void window_format_kernel(struct conv2d_problem p, const float *x, const float *w,
                                     float *f_data, float *k_data, int *ptr)
{
    /* TODO */
}

static int format_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    *state = (void *)problem; /* lives until close() */
    return 0;
}

static int format_run(void *state, const void *const in[], void *const out[])
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)state;
    (void)p, (void)in, (void)out; /* TODO: launch, on in[FORMAT_X], in[FORMAT_W], out[FORMAT_F],
                                   * out[FORMAT_K], out[FORMAT_PTR] */
    return cudaGetLastError() != cudaSuccess;
}

static void format_close(void *state)
{
    (void)state;
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,     "window_format", "window_format",
                                                   format_open, format_run,      format_close};
