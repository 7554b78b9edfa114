/* mlp_minibatch/minibatch: the fastest known.
 *
 * Changes from minibatch_simd: three.
 * Layout: all matrices stay in panels of 32 columns during the whole run (minibatch_panels.h), so
 * that no product copies its weights first: with 256 samples such copies cost a tenth of the time.
 * Tiles: up to 14 x 32 sums in 28 of the 32 registers of AVX-512 (6 x 16 with AVX2), so that 16
 * loads feed 28 multiplications; tails get tiles of their own size, each compiled for its size,
 * with the level that open() is told (minibatch_tile.h).
 * Threads: blocks of a product are handed out one by one (minibatch_net.h).
 *
 * What limits it: the multipliers; a fifth of their peak goes to the first loads of each tile, to
 * edges, stores of c and barriers. */
#define _GNU_SOURCE
#include "mlp/variants/minibatch_net.h"

#define BODY "mlp/variants/minibatch_tile.h"
#include "mlp/variants/levels.h"

static int open_level(const struct hpc_env *env, const void *problem, void **state)
{
#define LEVEL_OF(level) (&level_##level##_float)
    return open_net(env, FOR_LEVEL(env->simd, LEVEL_OF), problem, state);
}

const struct hpc_variant hpc_variant = {HPC_ABI,    "mlp_minibatch", "minibatch",
                                        open_level, run_net,         close_net};
