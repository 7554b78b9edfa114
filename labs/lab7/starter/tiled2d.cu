/* lab7, tiled2d: a block computes a square of outputs for several filters. Channel by channel it
 * brings the square of x that they need, with its halo, and the filters' weights to shared memory.
 *
 * Contract (conv2d/conv2d.h): y[n][k][p][q] = sum over c, r, s of w[k][c][r][s] * x[n][c][i][j]
 * with i = p * stride + r - pad, j = q * stride + s - pad, x being 0 outside of its map. Floats,
 * NCHW: x [N][C][H][W] is in[CONV2D_X], w [K][C][R][S] in[CONV2D_W], y [N][K][P][Q] out[CONV2D_Y],
 * all on the device; P = conv2d_rows(p), Q = conv2d_columns(p). Any size, stride >= 1, pad >= 0,
 * also larger than the filter; R and S up to 7 in our cases, and they may differ.
 *
 * TODO 1: where does the block's square of x begin, how many rows and columns has it? With stride 1
 *   TILE + R - 1 rows; with stride t? The shared array is sized at the launch:
 *     extern __shared__ float memory[];  kernel<<<grid, dim3(TILE, TILE), bytes>>>(..)
 * TODO 2: load it: neighbours load neighbours, 0 outside of the map. And the weights of FILTERS
 *   filters and this channel, 0 for filters beyond K.
 * TODO 3: two barriers for each channel. What goes wrong without the first one? Without the second?
 * TODO 4: a thread has one output of each of the FILTERS filters: sum[FILTERS], in registers. One x
 *   from shared memory meets FILTERS weights, which all threads of a warp read together.
 * TODO 5: threads without an output load and wait like all others; they store nothing.
 *
 * Asked for with 3 x 3 filters and 8 channels: at most 0.16 requests for global memory an output
 * (one x and one w a tap are 4.5), so several filters a block; and at most 2.9 for shared. */
#include <stdlib.h>

#include "conv2d/conv2d.h"

enum { TILE = 16, FILTERS = 8 };

__global__ void tiled2d_kernel(struct conv2d_problem p, const float *x, const float *w, float *y)
{
    /* TODO */
}

static int tiled2d_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    *state = (void *)problem; /* lives until close() */
    return 0;
}

static int tiled2d_run(void *state, const void *const in[], void *const out[])
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)state;
    (void)p, (void)in, (void)out; /* TODO: launch: squares, groups of filters, images */
    return cudaGetLastError() != cudaSuccess;
}

static void tiled2d_close(void *state)
{
    (void)state;
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,      "conv2d",    "tiled2d",
                                                   tiled2d_open, tiled2d_run, tiled2d_close};
