/* lab7, sparse_window: skipping zeros as [Xu] prints it. One launch takes one channel's map and one
 * filter; a block has a row of outputs, a thread one of them: it brings its window into the format
 * of window_format, in shared memory (Algorithm 1), and multiplies what is there (Algorithm 2).
 *
 * Contract (conv2d/conv2d.h): y[n][k][p][q] = sum over c, r, s of w[k][c][r][s] * x[n][c][i][j]
 * with i = p * stride + r - pad, j = q * stride + s - pad, x being 0 outside of its map. Floats,
 * NCHW, as in tiled2d. Lossless: whatever share of x is zero, from none to all.
 *
 * TODO 1: N K C launches. The first channel of a filter stores its outputs, the others add:
 * launches in one stream run one after another.
 * TODO 2: shared memory for a block's threads: R S floats for f_data and R S for k_data each, an
 * int for ptr. A block gets 48 KiB without asking: how many threads are that with 7 x 7? A row of
 * more outputs, or of more than 1024, is parted: several blocks a row.
 * TODO 3: window t's entries begin at float t R S, or entry e of all windows lies together: which
 * bank does thread t's entry e lie in, for R S = 9 and for R S = 16? Asked for (with 3 x 3): no
 * more than one conflict in ten requests.
 * TODO 4: a thread reads only what it has written itself. Does that need a barrier? */
#include <stdlib.h>

#include "conv2d/conv2d.h"

/* One map x [H][W] with one filter w [R][S], into y [P][Q]. */
__global__ void sparse_window_kernel(struct conv2d_problem p, const float *x, const float *w,
                                     float *y, bool add)
{
    /* TODO */
}

static int sparse_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    *state = (void *)problem; /* lives until close() */
    return 0;
}

static int sparse_run(void *state, const void *const in[], void *const out[])
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)state;
    (void)p, (void)in, (void)out; /* TODO: launch for each image, filter and channel */
    return cudaGetLastError() != cudaSuccess;
}

static void sparse_close(void *state)
{
    (void)state;
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,     "conv2d",   "sparse_window",
                                                   sparse_open, sparse_run, sparse_close};
