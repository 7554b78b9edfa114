/* Panels packed into static buffers, the leaf of a recursion on its stack, a nested function that
 * needs no trampoline, computed goto over the cases of a tile's edge. */
#include "mlp/minibatch_step.h"

enum { MR = 4, NR = 16, KC = 256 };

static float panel_a[KC * MR] __attribute__((aligned(64)));
static float panel_b[KC * NR] __attribute__((aligned(64)));

/* A product's operands: element (i, p) of a at a[i * ai + p * ap], (p, j) of b likewise. */
struct view {
    const float *a, *b;
    size_t ai, ap, bp, bj;
    float scale;
};

static void pack(const struct view *v, int i0, int m, int j0, int n, int p0, int k)
{
    for (int p = 0; p < k; p++) {
        for (int i = 0; i < MR; i++)
            panel_a[p * MR + i] =
                i < m ? v->scale * v->a[(size_t)(i0 + i) * v->ai + (size_t)(p0 + p) * v->ap] : 0;
        for (int j = 0; j < NR; j++)
            panel_b[p * NR + j] =
                j < n ? v->b[(size_t)(p0 + p) * v->bp + (size_t)(j0 + j) * v->bj] : 0;
    }
}

static void kernel(int k, float tile[restrict MR][NR])
{
    const float *a = panel_a, *b = panel_b;
    for (int p = 0; p < k; p++, a += MR, b += NR)
        for (int i = 0; i < MR; i++)
            for (int j = 0; j < NR; j++)
                tile[i][j] += a[i] * b[j];
}

static void multiply(const struct view *v, int m, int n, int k, float *c, size_t stride)
{
    static const void *const edges[] = {&&whole, &&part};
    int rows(int i)
    {
        return m - i < MR ? m - i : MR;
    }
    for (int p0 = 0; p0 < k; p0 += KC)
        for (int j0 = 0; j0 < n; j0 += NR)
            for (int i0 = 0; i0 < m; i0 += MR) {
                const int columns = n - j0 < NR ? n - j0 : NR, r = rows(i0);
                float tile[MR][NR] = {{0}};
                pack(v, i0, r, j0, columns, p0, k - p0 < KC ? k - p0 : KC);
                kernel(k - p0 < KC ? k - p0 : KC, tile);
                goto *edges[columns < NR || r < MR];
            whole:
                for (int i = 0; i < MR; i++)
                    for (int j = 0; j < NR; j++)
                        c[(size_t)(i0 + i) * stride + j0 + j] += tile[i][j];
                continue;
            part:
                for (int i = 0; i < r; i++)
                    for (int j = 0; j < columns; j++)
                        c[(size_t)(i0 + i) * stride + j0 + j] += tile[i][j];
            }
}

static void matmul_nn(struct matmul_size s, const float *a, const float *b, float *c)
{
    multiply(&(struct view){a, b, s.k, 1, s.n, 1, 1}, s.m, s.n, s.k, c, s.n);
}

static void matmul_nt(struct matmul_size s, const float *d, const float *b, float *e)
{
    memset(e, 0, (size_t)s.m * s.k * sizeof *e);
    multiply(&(struct view){d, b, s.n, 1, 1, s.n, 1}, s.m, s.k, s.n, e, s.k);
}

static void matmul_tn(struct matmul_size s, float scale, const float *a, const float *d, float *b)
{
    multiply(&(struct view){a, d, 1, s.k, s.n, 1, scale}, s.k, s.n, s.m, b, s.n);
}

static int run(void *state, const void *const in[], void *const out[])
{
    static const struct minibatch_products products = {matmul_nn, matmul_nt, matmul_tn};
    return minibatch_run(state, &products, in, out);
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_minibatch", "blocked", minibatch_open,
                                        run,     minibatch_close};
