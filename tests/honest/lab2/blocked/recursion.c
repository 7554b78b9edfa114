/* Divide and conquer: the longest side is halved until a block fits into the cache. */

#include "mlp/minibatch_step.h"

enum { LEAF = 32 };

/* A view of a matrix: element (i, j) lies at at[i * row + j * column]. */
struct view {
    const float *at;
    size_t row, column;
};

static struct view moved(struct view v, int i, int j)
{
    v.at += (size_t)i * v.row + (size_t)j * v.column;
    return v;
}

/* c (m x n, rows of `width`) += scale * a (m x k) b (k x n) */
static void multiply(struct matmul_size s, float scale, struct view a, struct view b, float *c,
                     size_t width)
{
    if (s.m > LEAF && s.m >= s.n && s.m >= s.k) {
        const int half = s.m / 2;
        multiply((struct matmul_size){half, s.n, s.k}, scale, a, b, c, width);
        multiply((struct matmul_size){s.m - half, s.n, s.k}, scale, moved(a, half, 0), b,
                 c + (size_t)half * width, width);
    } else if (s.n > LEAF && s.n >= s.k) {
        const int half = s.n / 2;
        multiply((struct matmul_size){s.m, half, s.k}, scale, a, b, c, width);
        multiply((struct matmul_size){s.m, s.n - half, s.k}, scale, a, moved(b, 0, half), c + half,
                 width);
    } else if (s.k > LEAF) {
        const int half = s.k / 2;
        multiply((struct matmul_size){s.m, s.n, half}, scale, a, b, c, width);
        multiply((struct matmul_size){s.m, s.n, s.k - half}, scale, moved(a, 0, half),
                 moved(b, half, 0), c, width);
    } else {
        for (int i = 0; i < s.m; i++)
            for (int p = 0; p < s.k; p++) {
                const float f = scale * *moved(a, i, p).at;
                for (int j = 0; j < s.n; j++)
                    c[(size_t)i * width + (size_t)j] += f * *moved(b, p, j).at;
            }
    }
}

static void matmul_nn(struct matmul_size s, const float *a, const float *b, float *c)
{
    multiply(s, 1, (struct view){a, (size_t)s.k, 1}, (struct view){b, (size_t)s.n, 1}, c,
             (size_t)s.n);
}

static void matmul_nt(struct matmul_size s, const float *d, const float *b, float *e)
{
    memset(e, 0, (size_t)s.m * (size_t)s.k * sizeof *e);
    multiply((struct matmul_size){s.m, s.k, s.n}, 1, (struct view){d, (size_t)s.n, 1},
             (struct view){b, 1, (size_t)s.n}, e, (size_t)s.k);
}

static void matmul_tn(struct matmul_size s, float scale, const float *a, const float *d, float *b)
{
    multiply((struct matmul_size){s.k, s.n, s.m}, scale, (struct view){a, 1, (size_t)s.k},
             (struct view){d, (size_t)s.n, 1}, b, (size_t)s.n);
}

static int run(void *state, const void *const in[], void *const out[])
{
    static const struct minibatch_products products = {matmul_nn, matmul_nt, matmul_tn};
    return minibatch_run(state, &products, in, out);
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_minibatch", "blocked", minibatch_open,
                                        run,     minibatch_close};
