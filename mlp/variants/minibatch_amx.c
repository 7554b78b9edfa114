/* Record where there is AMX: from minibatch, the products by its tiles of bf16.
 *
 * bf16 keeps 8 bits of a significand, fp32 24: each operand is split into three, x = hi + mid + lo,
 * without a remainder. Of the nine products six are added, in fp32: hi hi, hi mid, mid hi, mid mid,
 * hi lo, lo hi. The three left out are below 2^-24 of |x||y| together, so the result is as exact
 * as a product in fp32. An AMX unit does 16 multiply-adds where an AVX-512 unit does one, so six
 * for one still leave a factor of 2.5.
 *
 * The splits of both operands are written to scratch before each product, in the order in which
 * tiles are loaded (minibatch_amx_split.h).
 *
 * What limits it now: the splits, about a fifth of the time, and the tiles' way from L2. Source of
 * the splitting: G. Henry, P. Tang, A. Heinecke, "Leveraging the bfloat16 artificial intelligence
 * datatype for higher-precision computations", ARITH 2019.
 * MINIBATCH_AMX_EMULATED: tests do the tile instructions in plain C, with their rounding. */
#define _GNU_SOURCE
#include "mlp/variants/minibatch_net.h"

#define BODY "mlp/variants/minibatch_tile.h"
#include "mlp/variants/levels.h"
#include "mlp/variants/minibatch_amx_split.h"

/* Strips of 32 rows of a come first in scratch, then strips of 32 columns of b. */
static size_t strip_words(int terms)
{
    return (size_t)((terms + 31) / 32) * STEP;
}

static size_t amx_scratch(int units, int samples)
{
    const int most = units > samples ? units : samples;
    return 2 * (size_t)((most + 31) / 32) * strip_words(most) * sizeof(uint32_t);
}

static int amx_pieces(const struct product *q)
{
    return (q->rows + 31) / 32 + (q->columns + 31) / 32;
}

static void amx_prepare(const struct product *q, void *scratch, int piece)
{
    uint32_t *to = (uint32_t *)scratch + (size_t)piece * strip_words(q->terms);
    const int strips = (q->rows + 31) / 32, row = piece * 32;
    if (piece >= strips)
        split_across(q->b + (size_t)(piece - strips) * q->b_panel, q->terms, 0, to);
    else if (q->a_along)
        split_along(q->a + (size_t)row * PANEL, q->a_panel, least(32, q->rows - row), q->terms, to);
    else
        split_across(q->a + (size_t)piece * q->a_panel, q->terms, 1, to);
}

/* sums[32][32] of a strip of a and a strip of b: 2 x 2 tiles of sums, 2 of a, 2 of b. */
AMX_CODE void multiply_strips(const uint32_t *a, const uint32_t *b, int terms, float *sums)
{
    AMX_TILES;
    TILE_ZERO(0);
    TILE_ZERO(1);
    TILE_ZERO(2);
    TILE_ZERO(3);
    for (int t = 0; t < terms; t += 32, a += STEP, b += STEP) {
#define A_PART(part)                                                                               \
    TILE_LOAD(4, a + (part)*TILE_WORDS);                                                           \
    TILE_LOAD(5, a + (PARTS + (part)) * TILE_WORDS)
#define B_PART(part)                                                                               \
    TILE_LOAD(6, b + (part)*TILE_WORDS);                                                           \
    TILE_LOAD(7, b + (PARTS + (part)) * TILE_WORDS)
#define ADD_PRODUCTS()                                                                             \
    TILE_ADD(0, 4, 6);                                                                             \
    TILE_ADD(1, 4, 7);                                                                             \
    TILE_ADD(2, 5, 6);                                                                             \
    TILE_ADD(3, 5, 7)
        A_PART(2);
        B_PART(0);
        ADD_PRODUCTS(); /* lo hi */
        A_PART(1);
        ADD_PRODUCTS(); /* mid hi */
        B_PART(1);
        ADD_PRODUCTS(); /* mid mid */
        A_PART(0);
        ADD_PRODUCTS(); /* hi mid */
        B_PART(2);
        ADD_PRODUCTS(); /* hi lo */
        B_PART(0);
        ADD_PRODUCTS(); /* hi hi */
    }
    TILE_STORE(0, sums);
    TILE_STORE(1, sums + 16);
    TILE_STORE(2, sums + 16 * PANEL);
    TILE_STORE(3, sums + 16 * PANEL + 16);
}

AMX_CODE void amx_multiply(const struct product *q, const void *scratch, int row, int row_end,
                           int column, int column_end)
{
    float sums[32 * PANEL] __attribute__((aligned(64)));
    const size_t strip = strip_words(q->terms);
    const uint32_t *a = scratch, *b = a + (size_t)((q->rows + 31) / 32) * strip;
    TILE_CONFIGURE();
    for (int j = column; j < column_end; j += 32) {
        for (int i = row; i < row_end; i += 32) {
            float *c = q->c + (size_t)(j / PANEL) * q->c_panel + (size_t)i * PANEL;
            multiply_strips(a + i / 32 * strip, b + j / 32 * strip, q->terms, sums);
            for (int k = 0; k < least(32, row_end - i) * PANEL; k++)
                c[k] = (q->add ? c[k] : 0) + q->scale * sums[k];
        }
    }
    TILE_RELEASE();
}

static int open_amx(const struct hpc_env *env, const void *problem, void **state)
{
    static const struct level amx = {
        .multiply = amx_multiply,
        .scratch = amx_scratch,
        .pieces = amx_pieces,
        .prepare = amx_prepare,
        .turn = AMX_SHARED(turn),
        .activate = AMX_SHARED(activate_block),
        .delta = AMX_SHARED(delta_block),
    };
    if (!amx_permitted(env))
        return 1;
    return open_net(env, &amx, problem, state);
}

const struct hpc_variant hpc_variant = {HPC_ABI,  "mlp_minibatch", "minibatch_amx",
                                        open_amx, run_net,         close_net};
