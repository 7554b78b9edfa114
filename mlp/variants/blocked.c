/* mlp_minibatch/blocked: tiles that stay in the cache.
 *
 * Changes from minibatch_naive: the loops in another order and cut into tiles.
 * Order: the innermost loop runs along a row of b and of c, so every float of a cache line is
 * used and no addition waits for the one before it: the compiler makes vectors of it, at -O2 too,
 * where it knows that rows do not overlap (restrict) and how long they are (a whole tile). For
 * nt, whose rows run along the sum, a tile of b is first transposed into a small array.
 * Tiles: ROWS x COLUMNS floats of b stay in the cache while all m rows of a use them. JAM terms of
 * the sum are added at a time, so that c is loaded and stored once for JAM multiplications.
 *
 * What limits it now: every multiplication loads its own vector of b; a core could do one or two
 * multiplications a cycle if sums and operands stayed in registers. */
#include "mlp/minibatch_step.h"

enum {
    ROWS = 32,     /* of a tile: terms of the sum */
    COLUMNS = 256, /* of a tile: outputs; 32 KiB */
    JAM = 4,       /* terms at a time */
};

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

/* c[j] += sum over t of a[t * step] * b[t][j], for t = 0 .. terms-1 and j = 0 .. columns-1, with
 * rows of b `ld` floats apart. */
static inline __attribute__((always_inline)) void add_terms(int terms, int columns, const float *a,
                                                            size_t step, const float *restrict b,
                                                            size_t ld, float *restrict c)
{
    int t = 0;
    for (; t + JAM <= terms; t += JAM, a += JAM * step, b += JAM * ld) {
        const float a0 = a[0], a1 = a[step], a2 = a[2 * step], a3 = a[3 * step];
        const float *b1 = b + ld, *b2 = b1 + ld, *b3 = b2 + ld;
        for (int j = 0; j < columns; j++)
            c[j] += a0 * b[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
    }
    for (; t < terms; t++, a += step, b += ld) {
        for (int j = 0; j < columns; j++)
            c[j] += a[0] * b[j];
    }
}

/* One row of c, with the length of a whole tile written out for the compiler. */
static void add_row(int terms, int columns, const float *a, size_t step, const float *b, size_t ld,
                    float *c)
{
    if (columns == COLUMNS)
        add_terms(terms, COLUMNS, a, step, b, ld, c);
    else
        add_terms(terms, columns, a, step, b, ld, c);
}

static void matmul_nn(struct matmul_size s, const float *a, const float *b, float *c)
{
    for (int j = 0; j < s.n; j += COLUMNS)
        for (int p = 0; p < s.k; p += ROWS)
            for (int i = 0; i < s.m; i++)
                add_row(least(ROWS, s.k - p), least(COLUMNS, s.n - j), a + (size_t)i * s.k + p, 1,
                        b + (size_t)p * s.n + j, (size_t)s.n, c + (size_t)i * s.n + j);
}

static void matmul_nt(struct matmul_size s, const float *d, const float *b, float *e)
{
    float turned[ROWS][COLUMNS]; /* turned[t][q] = b[p + q][j + t] */
    memset(e, 0, (size_t)s.m * s.k * sizeof *e);
    for (int p = 0; p < s.k; p += COLUMNS) {
        for (int j = 0; j < s.n; j += ROWS) {
            const int columns = least(COLUMNS, s.k - p), terms = least(ROWS, s.n - j);
            for (int q = 0; q < columns; q++)
                for (int t = 0; t < terms; t++)
                    turned[t][q] = b[(size_t)(p + q) * s.n + j + t];
            for (int i = 0; i < s.m; i++)
                add_row(terms, columns, d + (size_t)i * s.n + j, 1, turned[0], COLUMNS,
                        e + (size_t)i * s.k + p);
        }
    }
}

/* Here the weights are what is added to, and the tile is one of d, scaled. */
static void matmul_tn(struct matmul_size s, float scale, const float *a, const float *d, float *b)
{
    float scaled[ROWS][COLUMNS];
    for (int j = 0; j < s.n; j += COLUMNS) {
        for (int i = 0; i < s.m; i += ROWS) {
            const int columns = least(COLUMNS, s.n - j), terms = least(ROWS, s.m - i);
            for (int t = 0; t < terms; t++)
                for (int q = 0; q < columns; q++)
                    scaled[t][q] = scale * d[(size_t)(i + t) * s.n + j + q];
            for (int p = 0; p < s.k; p++)
                add_row(terms, columns, a + (size_t)i * s.k + p, (size_t)s.k, scaled[0], COLUMNS,
                        b + (size_t)p * s.n + j);
        }
    }
}

static int run(void *state, const void *const in[], void *const out[])
{
    static const struct minibatch_products products = {matmul_nn, matmul_nt, matmul_tn};
    return minibatch_run(state, &products, in, out);
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_minibatch", "blocked", minibatch_open,
                                        run,     minibatch_close};
