/* mlp_minibatch/minibatch_amx: the fastest known where there is AMX.
 *
 * Changes from minibatch: the products by AMX's tiles of bf16.
 * bf16 keeps 8 bits of a significand, fp32 24: each operand is split into three, x = hi + mid + lo,
 * without a remainder. Of the nine products six are added, in fp32: hi hi, hi mid, mid hi, mid mid,
 * hi lo, lo hi. The three left out are below 2^-24 of |x||y| together, so the result is as exact
 * as a product in fp32. An AMX unit does 16 multiply-adds where an AVX-512 unit does one, so six
 * for one still leave a factor of 2.5.
 *
 * b is split once a product, into scratch, in the order in which tiles are loaded
 * (minibatch_amx_split.h). A strip of a is split by the thread that multiplies it, a chunk of terms
 * at a time, just before all columns of the block use it: it never leaves that core's L2. Sums of a
 * block stay in tiles during a chunk, in L2 between chunks. Blocks are wide, so that few strips of
 * a are split twice, and one a thread: smaller ones were no faster.
 *
 * What limits it, measured on an Emerald Rapids Xeon, 16 virtual processors, 784-1024-1024-10, 256
 * samples: the tile unit alone does 2.3 TFLOP/s, 383 GFLOP/s in products of fp32; multiply_strips
 * from L2 2.1, or 350; the whole step 190 to 234 with one thread. Between them, as far as measured:
 * splits of a (200 to 300 ns for 1024 numbers), and weights brought into panels and back (a
 * twentieth); strips of b that come from L3 are likely the rest. Splitting the next chunk of a
 * between strips, with b fetched further ahead or not, gained nothing. Some of the processors,
 * others at other times, did tiles at 0.96 TFLOP/s while their FMA rate was the same; there, and
 * with all 16 busy, `minibatch` is faster. Source of the splitting: G. Henry, P. Tang,
 * A. Heinecke, "Leveraging the bfloat16 artificial intelligence
 * datatype for higher-precision computations", ARITH 2019.
 * MINIBATCH_AMX_EMULATED: tests do the tile instructions in plain C, with their rounding. */
#define _GNU_SOURCE
#include "mlp/variants/minibatch_net.h"

#define BODY "mlp/variants/minibatch_tile.h"
#include "mlp/variants/levels.h"
#include "mlp/variants/minibatch_amx_split.h"

enum {
    CHUNK_STEPS = 8,                /* times 32 terms of a strip of a that are split at a time */
    CHUNK_TERMS = CHUNK_STEPS * 32, /* and terms of b in one piece of work */
    BLOCK_ROWS = 128,
    BLOCK_COLUMNS = 256,
};

/* Words of one strip of 32 columns of b. */
static size_t strip_words(int terms)
{
    return (size_t)((terms + 31) / 32) * STEP;
}

static size_t amx_scratch(int units, int samples)
{
    const int most = units > samples ? units : samples;
    return (size_t)((most + 31) / 32) * strip_words(most) * sizeof(uint32_t);
}

static int amx_pieces(const struct product *q)
{
    return (q->columns + 31) / 32 * ((q->terms + CHUNK_TERMS - 1) / CHUNK_TERMS);
}

static void amx_prepare(const struct product *q, void *scratch, int piece)
{
    const int pieces = (q->terms + CHUNK_TERMS - 1) / CHUNK_TERMS;
    const int strip = piece / pieces, first = piece % pieces * CHUNK_TERMS;
    split_across(q->b + (size_t)strip * q->b_panel + first * PANEL,
                 least(CHUNK_TERMS, q->terms - first),
                 (uint32_t *)scratch + (size_t)strip * strip_words(q->terms) + first / 32 * STEP);
}

/* 32 rows of a from `row`, `steps` times 32 terms from `first`, as tiles. */
AMX_CODE void split_a(const struct product *q, int row, int first, int steps, uint32_t *to)
{
    for (int piece = 0; piece < 2 * steps; piece++, to += PARTS * TILE_WORDS) {
        const int i = row + piece % 2 * 16, t = first + piece / 2 * 32;
        if (q->a_along)
            split_along(q->a + (size_t)(t / PANEL) * q->a_panel + (size_t)i * PANEL, q->rows - i,
                        q->terms - t, to);
        else
            split_turned(q->a + (size_t)(i / PANEL) * q->a_panel + (size_t)t * PANEL + i % PANEL,
                         q->terms - t, to);
    }
}

/* sums[32][32] of a strip of a and a strip of b, `steps` times 32 terms, added where `add`:
 * 2 x 2 tiles of sums, 2 of a, 2 of b. The strip of b at `next` comes after it. */
AMX_CODE void multiply_strips(const uint32_t *a, const uint32_t *b, const uint32_t *next, int steps,
                              int add, float *sums)
{
    AMX_TILES;
    TILE_FENCE(a);
    TILE_FENCE(sums);
    if (add) {
        TILE_LOAD_SUMS(0, sums);
        TILE_LOAD_SUMS(1, sums + 16);
        TILE_LOAD_SUMS(2, sums + 16 * PANEL);
        TILE_LOAD_SUMS(3, sums + 16 * PANEL + 16);
    } else {
        TILE_ZERO(0);
        TILE_ZERO(1);
        TILE_ZERO(2);
        TILE_ZERO(3);
    }
    for (int s = 0; s < steps; s++, a += STEP, b += STEP) {
        const uint32_t *ahead = s + 1 < steps ? b + STEP : next;
#define FETCH(part)                                                                                \
    _Pragma("GCC unroll 16") for (int w = 0; w < TILE_WORDS; w += 16)                              \
    {                                                                                              \
        __builtin_prefetch(ahead + (part)*TILE_WORDS + w);                                         \
        __builtin_prefetch(ahead + (PARTS + (part)) * TILE_WORDS + w);                             \
    }
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
        FETCH(0)
        A_PART(1);
        ADD_PRODUCTS(); /* mid hi */
        B_PART(1);
        ADD_PRODUCTS(); /* mid mid */
        FETCH(1)
        A_PART(0);
        ADD_PRODUCTS(); /* hi mid */
        B_PART(2);
        ADD_PRODUCTS(); /* hi lo */
        FETCH(2)
        B_PART(0);
        ADD_PRODUCTS(); /* hi hi */
    }
    TILE_STORE(0, sums);
    TILE_STORE(1, sums + 16);
    TILE_STORE(2, sums + 16 * PANEL);
    TILE_STORE(3, sums + 16 * PANEL + 16);
    TILE_FENCE(sums);
}

/* The square of 32 x 32 sums at (row, column) into c. */
AMX_CODE void put_sums(const struct product *q, int row, int column, const float *sums)
{
    float *c = q->c + (size_t)(column / PANEL) * q->c_panel + (size_t)row * PANEL;
    const float scale = q->scale;
    const int count = least(32, q->rows - row) * PANEL;
    for (int k = 0; k < count; k += 16) {
        const floats sum = scale * load16(sums + k, 1);
        *(floats *)(c + k) = q->add ? *(floats *)(c + k) + sum : sum;
    }
}

AMX_CODE void amx_multiply(const struct product *q, const void *scratch, int row, int row_end,
                           int column, int column_end)
{
    float sums[BLOCK_ROWS * BLOCK_COLUMNS] __attribute__((aligned(64)));
    uint32_t a[CHUNK_STEPS * STEP] __attribute__((aligned(64)));
    const size_t strip = strip_words(q->terms);
    TILE_CONFIGURE();
    for (int t = 0; t < q->terms; t += CHUNK_TERMS) {
        const int terms = least(CHUNK_TERMS, q->terms - t), steps = (terms + 31) / 32;
        float *square = sums;
        for (int i = row; i < row_end; i += 32) {
            const uint32_t *b = (const uint32_t *)scratch + column / 32 * strip + t / 32 * STEP;
            split_a(q, i, t, steps, a);
            for (int j = column; j < column_end; j += 32, b += strip, square += 32 * PANEL) {
                multiply_strips(a, b, b + strip, steps, t > 0, square);
                if (t + terms == q->terms)
                    put_sums(q, i, j, square);
            }
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
        .rows = BLOCK_ROWS,
        .columns = BLOCK_COLUMNS,
        .share = 1,
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
