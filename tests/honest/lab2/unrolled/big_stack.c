/* Rows copied to big arrays on the stack, several accumulators in a variable-length array, casts
 * that add restrict, complex numbers for pairs. */
#include <alloca.h>
#include <complex.h>

#include "mlp/minibatch_step.h"

static void matmul_nn(struct matmul_size s, const float *a, const float *b, float *c)
{
    float *restrict to = (float *restrict)c;
    float row[s.n];
    for (int i = 0; i < s.m; i++) {
        memcpy(row, to + (size_t)i * s.n, sizeof row);
        int p = 0;
        for (; p + 4 <= s.k; p += 4) {
            const float *restrict b0 = b + (size_t)p * s.n, *restrict b1 = b0 + s.n,
                                  *restrict b2 = b1 + s.n, *restrict b3 = b2 + s.n;
            const float *f = a + (size_t)i * s.k + p;
            for (int j = 0; j < s.n; j++)
                row[j] += (f[0] * b0[j] + f[1] * b1[j]) + (f[2] * b2[j] + f[3] * b3[j]);
        }
        for (; p < s.k; p++)
            for (int j = 0; j < s.n; j++)
                row[j] += a[(size_t)i * s.k + p] * b[(size_t)p * s.n + j];
        memcpy(to + (size_t)i * s.n, row, sizeof row);
    }
}

static float dot(int n, const float *a, const float *b)
{
    float complex sum[4] = {0};
    float total = 0;
    int j = 0;
    for (; j + 8 <= n; j += 8)
        for (int u = 0; u < 4; u++)
            sum[u] += a[j + 2 * u] * b[j + 2 * u] + a[j + 2 * u + 1] * b[j + 2 * u + 1] * I;
    for (; j < n; j++)
        total += a[j] * b[j];
    for (int u = 0; u < 4; u++)
        total += crealf(sum[u]) + cimagf(sum[u]);
    return total;
}

static void matmul_nt(struct matmul_size s, const float *d, const float *b, float *e)
{
    for (int i = 0; i < s.m; i++)
        for (int p = 0; p < s.k; p++)
            e[(size_t)i * s.k + p] = dot(s.n, d + (size_t)i * s.n, b + (size_t)p * s.n);
}

static void matmul_tn(struct matmul_size s, float scale, const float *a, const float *d, float *b)
{
    float *column = alloca((size_t)s.m * sizeof *column);
    for (int p = 0; p < s.k; p++) {
        float *restrict to = b + (size_t)p * s.n;
        for (int i = 0; i < s.m; i++)
            column[i] = scale * a[(size_t)i * s.k + p];
        int i = 0;
        for (; i + 2 <= s.m; i += 2)
            for (int j = 0; j < s.n; j++)
                to[j] += column[i] * d[(size_t)i * s.n + j] +
                         column[i + 1] * d[(size_t)(i + 1) * s.n + j];
        for (; i < s.m; i++)
            for (int j = 0; j < s.n; j++)
                to[j] += column[i] * d[(size_t)i * s.n + j];
    }
}

static int run(void *state, const void *const in[], void *const out[])
{
    static const struct minibatch_products products = {matmul_nn, matmul_nt, matmul_tn};
    return minibatch_run(state, &products, in, out);
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_minibatch", "unrolled", minibatch_open,
                                        run,     minibatch_close};
