/* Tiles of several sizes behind a table of functions, packed into aligned memory; prefetches, and
 * what
 * __builtin_assume_aligned promises. */

#include "mlp/minibatch_step.h"

typedef void tile_function(int n, float f, const float *restrict b, float *restrict c);

#define TILE(n_tile)                                                                               \
    static void tile_##n_tile(int n, float f, const float *restrict b, float *restrict c)          \
    {                                                                                              \
        for (int first = 0; first < n; first += n_tile) {                                          \
            __builtin_prefetch(b + first + n_tile, 0, 1);                                          \
            for (int j = first; j < n && j < first + n_tile; j++)                                  \
                c[j] += f * b[j];                                                                  \
        }                                                                                          \
    }
TILE(8)
TILE(32)
TILE(128)

static tile_function *const table[] = {tile_8, tile_32, tile_128};

/* From the length of a row to the tile for it. */
static tile_function *tile_for(int n)
{
    const int bits = n > 0 ? 31 - __builtin_clz((unsigned)n) : 0;
    return table[bits < 4 ? 0 : bits < 6 ? 1 : 2];
}

static void matmul_nn(struct matmul_size s, const float *a, const float *b, float *c)
{
    tile_function *const tile = tile_for(s.n);
    for (int p = 0; p < s.k; p++)
        for (int i = 0; i < s.m; i++)
            tile(s.n, a[(size_t)i * s.k + p], b + (size_t)p * s.n, c + (size_t)i * s.n);
}

static void matmul_nt(struct matmul_size s, const float *d, const float *b, float *e)
{
    const size_t bytes = ((size_t)s.n * (size_t)s.k * sizeof(float) + 63) / 64 * 64;
    float *packed = __builtin_assume_aligned(aligned_alloc(64, bytes), 64);
    tile_function *const tile = tile_for(s.k);
    if (!packed)
        __builtin_trap();
    for (int p = 0; p < s.k; p++)
        for (int j = 0; j < s.n; j++)
            packed[(size_t)j * s.k + p] = b[(size_t)p * s.n + j];
    memset(e, 0, (size_t)s.m * s.k * sizeof *e);
    for (int j = 0; j < s.n; j++)
        for (int i = 0; i < s.m; i++)
            tile(s.k, d[(size_t)i * s.n + j], packed + (size_t)j * s.k, e + (size_t)i * s.k);
    free(packed);
}

static void matmul_tn(struct matmul_size s, float scale, const float *a, const float *d, float *b)
{
    tile_function *const tile = tile_for(s.n);
    for (int i = 0; i < s.m; i++)
        for (int p = 0; p < s.k; p++)
            tile(s.n, scale * a[(size_t)i * s.k + p], d + (size_t)i * s.n, b + (size_t)p * s.n);
}

static int run(void *state, const void *const in[], void *const out[])
{
    static const struct minibatch_products products = {matmul_nn, matmul_nt, matmul_tn};
    return minibatch_run(state, &products, in, out);
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_minibatch", "blocked", minibatch_open,
                                        run,     minibatch_close};
