/* The inputs of conv1d, drawn from (seed, call).
 *
 * x is uniform in (-4, 4), with all 24 bits of a float's significand: products in TF32 or half lose
 * some of them, and a tile of whole numbers shows. The mask is uniform in (-1, 1), so neither its
 * own mirror image nor positive: sums cancel. Somewhere in every x lies a run of denormals and one
 * of zeros of both signs, each long enough that outputs depend on it alone: they show who flushes
 * denormals to zero.
 * A signal may have 10^9 elements, and Philox takes a second for 10^8: hence chunks. */
#include <string.h>

#include "common/defence.h"
#include "common/random.h"
#include "conv1d/op/op.h"

/* What is drawn; a call's streams are (call + 1) << 8 | what, the mask's is DRAW_MASK alone. */
enum { DRAW_MASK = 1, DRAW_SIGNAL, DRAW_RUNS };

/* Uniform in [-range, range]. */
static void fill(float *x, size_t n, uint64_t seed, uint64_t stream, float range)
{
    const float scale = range * 0x1p-31f;
    for (size_t begin = 0; begin < n; begin += HPC_RANDOM_CHUNK) {
        uint32_t word[HPC_RANDOM_CHUNK];
        const size_t count = n - begin < HPC_RANDOM_CHUNK ? n - begin : HPC_RANDOM_CHUNK;
        hpc_random_chunk(seed, stream, begin / HPC_RANDOM_CHUNK, word);
        for (size_t i = 0; i < count; i++)
            x[begin + i] = (float)(int32_t)word[i] * scale;
    }
}

/* Denormals, or zeros, in place of a run of elements at a place drawn at random. */
static void place_run(const struct conv1d_problem *p, float *x, struct hpc_random *random,
                      bool zeros)
{
    size_t length = 2 * (size_t)p->radius + 64;
    if (p->n < 4 * length) /* else most outputs would be zero */
        return;
    size_t begin = (size_t)(hpc_random_double(random) * (double)(p->n - length));
    for (size_t i = begin; i < begin + length; i++) {
        uint32_t bits = hpc_random_u32(random) & (zeros ? 0x80000000u : 0x807fffffu);
        memcpy(&x[i], &bits, sizeof bits);
    }
}

void conv1d_generate(const void *problem, uint64_t seed, uint64_t call, void *const in[])
{
    const struct conv1d_problem *p = problem;
    if (in[CONV1D_W])
        fill(in[CONV1D_W], 2 * (size_t)p->radius + 1, seed, DRAW_MASK, 1);
    if (!in[CONV1D_X])
        return;
    float *x = in[CONV1D_X];
    fill(x, p->n, seed, (call + 1) << 8 | DRAW_SIGNAL, 4);
    struct hpc_random random;
    hpc_random_init(&random, seed, (call + 1) << 8 | DRAW_RUNS);
    if (DEFENCE(denormals))
        place_run(p, x, &random, false);
    place_run(p, x, &random, true);
}
