/* mlp_minibatch/minibatch_simd: tiles of the result in registers.
 *
 * Changes from blocked: a tile of the result stays in registers for the whole walk down the sum, by
 * the compiler's vector types (AVX-512, AVX2 or NEON, whatever -march allows).
 * TILE x 2 vectors of sums take 12 or 16 registers; each step of the sum loads 2 vectors of b and
 * TILE single floats of a, for 2 * TILE multiplications and additions that do not wait for each
 * other: with 10 chains or more a core's multipliers are always busy (latency 4 to 5, two a cycle).
 * Loads: 8 for 12, so the load ports keep up; in blocked they did not (5 loads, a store for 4).
 * b is copied to a panel that is as wide as the tile first: its rows were 4096 bytes apart, in few
 * sets of the cache and each on a page of its own; the panel is one piece, padded with zeros.
 *
 * What limits it now: one core; the copies; tiles at the edges, which do full work. */
#include "mlp/minibatch_step.h"

#if defined(__AVX512F__) /* 32 registers of 16 floats */
enum { LANES = 16, TILE = 8 };
#elif defined(__AVX__) /* 16 registers of 8 */
enum { LANES = 8, TILE = 6 };
#else
enum { LANES = 4, TILE = 6 };
#endif
enum {
    WIDTH = 2 * LANES, /* columns of it */
    DEPTH = 192,       /* terms of the sum at a time: the panel is 24 KiB at most, a part of L1 */
};

typedef float vec __attribute__((vector_size(LANES * sizeof(float))));

/* c[i][j] += scale * sum_t a[i][t] * b[t][j]. Element (i, t) of a is at i * a_row + t * a_term,
 * element (t, j) of b at t * b_term + j * b_column; rows of c are `columns` apart. */
struct product {
    int rows, columns, terms;
    float scale;
    const float *a;
    size_t a_row, a_term;
    const float *b;
    size_t b_term, b_column;
    float *c;
};

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

/* panel[t][j] = b[first + t][column + j], zero beyond the last column. */
static void pack(const struct product *q, int first, int terms, int column, float *panel)
{
    const int columns = least(WIDTH, q->columns - column);
    memset(panel, 0, (size_t)terms * WIDTH * sizeof *panel);
    const float *b = q->b + (size_t)first * q->b_term + (size_t)column * q->b_column;
    if (q->b_column == 1) {
        for (int t = 0; t < terms; t++)
            for (int j = 0; j < columns; j++)
                panel[t * WIDTH + j] = b[(size_t)t * q->b_term + j];
    } else {
        for (int j = 0; j < columns; j++)
            for (int t = 0; t < terms; t++)
                panel[t * WIDTH + j] = b[(size_t)j * q->b_column + (size_t)t * q->b_term];
    }
}

/* sums[r][j] = sum over t < terms of a[r][t] * panel[t][j], for TILE rows; a_row 0 at the lower
 * edge, where the tile is TILE times the same row. */
static inline __attribute__((always_inline)) void
tile(int terms, const float *a, size_t a_row, size_t a_term, const float *panel, float *sums)
{
    vec left[TILE] = {0}, right[TILE] = {0};
    for (int t = 0; t < terms; t++, a += a_term, panel += WIDTH) {
        const vec b0 = *(const vec *)panel, b1 = *(const vec *)(panel + LANES);
#pragma GCC unroll 8
        for (int r = 0; r < TILE; r++) {
            left[r] += a[(size_t)r * a_row] * b0;
            right[r] += a[(size_t)r * a_row] * b1;
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < TILE; r++) {
        *(vec *)(sums + r * WIDTH) = left[r];
        *(vec *)(sums + r * WIDTH + LANES) = right[r];
    }
}

/* All rows of c in the columns of one panel. */
static void multiply_panel(const struct product *q, int first, int terms, int column,
                           const float *panel)
{
    float sums[TILE * WIDTH] __attribute__((aligned(64)));
    const int columns = least(WIDTH, q->columns - column);
    for (int i = 0; i < q->rows;) {
        const float *a = q->a + (size_t)i * q->a_row + (size_t)first * q->a_term;
        const int rows = q->rows - i < TILE ? 1 : TILE;
        tile(terms, a, rows == TILE ? q->a_row : 0, q->a_term, panel, sums);
        for (int r = 0; r < rows; r++) {
            float *c = q->c + (size_t)(i + r) * q->columns + column;
            if (columns == WIDTH) {
                for (int j = 0; j < WIDTH; j++)
                    c[j] += q->scale * sums[r * WIDTH + j];
            } else {
                for (int j = 0; j < columns; j++)
                    c[j] += q->scale * sums[r * WIDTH + j];
            }
        }
        i += rows;
    }
}

static void multiply(const struct product *q)
{
    float panel[DEPTH * WIDTH] __attribute__((aligned(64)));
    for (int first = 0; first < q->terms; first += DEPTH) {
        const int terms = least(DEPTH, q->terms - first);
        for (int column = 0; column < q->columns; column += WIDTH) {
            pack(q, first, terms, column, panel);
            multiply_panel(q, first, terms, column, panel);
        }
    }
}

static void matmul_nn(struct matmul_size s, const float *a, const float *b, float *c)
{
    multiply(&(struct product){s.m, s.n, s.k, 1, a, (size_t)s.k, 1, b, (size_t)s.n, 1, c});
}

static void matmul_nt(struct matmul_size s, const float *d, const float *b, float *e)
{
    memset(e, 0, (size_t)s.m * s.k * sizeof *e);
    multiply(&(struct product){s.m, s.k, s.n, 1, d, (size_t)s.n, 1, b, 1, (size_t)s.n, e});
}

static void matmul_tn(struct matmul_size s, float scale, const float *a, const float *d, float *b)
{
    multiply(&(struct product){s.k, s.n, s.m, scale, a, 1, (size_t)s.k, d, (size_t)s.n, 1, b});
}

static int run(void *state, const void *const in[], void *const out[])
{
    static const struct minibatch_products products = {matmul_nn, matmul_nt, matmul_tn};
    return minibatch_run(state, &products, in, out);
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_minibatch", "minibatch_simd", minibatch_open,
                                        run,     minibatch_close};
