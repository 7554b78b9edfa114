/* GCC vectors of eight floats, loads by memcpy, sums by __builtin_shuffle. */

#include "mlp/minibatch_step.h"

typedef float vector __attribute__((vector_size(32)));
typedef int lanes __attribute__((vector_size(32)));

static inline vector load(const float *p)
{
    vector v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void store(float *p, vector v)
{
    memcpy(p, &v, sizeof v);
}

static inline float sum_of(vector v)
{
    v += __builtin_shuffle(v, (lanes){4, 5, 6, 7, 0, 1, 2, 3});
    v += __builtin_shuffle(v, (lanes){2, 3, 0, 1, 6, 7, 4, 5});
    return v[0] + v[1];
}

static void matmul_nn(struct matmul_size s, const float *restrict a, const float *restrict b,
                      float *restrict c)
{
    for (int i = 0; i < s.m; i++) {
        int j = 0;
        for (; j + 8 <= s.n; j += 8) {
            vector sum = load(c + (size_t)i * s.n + j);
            for (int p = 0; p < s.k; p++)
                sum += a[(size_t)i * s.k + p] * load(b + (size_t)p * s.n + j);
            store(c + (size_t)i * s.n + j, sum);
        }
        for (; j < s.n; j++)
            for (int p = 0; p < s.k; p++)
                c[(size_t)i * s.n + j] += a[(size_t)i * s.k + p] * b[(size_t)p * s.n + j];
    }
}

static void matmul_nt(struct matmul_size s, const float *restrict d, const float *restrict b,
                      float *restrict e)
{
    for (int i = 0; i < s.m; i++)
        for (int p = 0; p < s.k; p++) {
            const float *row = d + (size_t)i * s.n, *column = b + (size_t)p * s.n;
            vector sums = {0};
            float rest = 0;
            int j = 0;
            for (; j + 8 <= s.n; j += 8)
                sums += load(row + j) * load(column + j);
            for (; j < s.n; j++)
                rest += row[j] * column[j];
            e[(size_t)i * s.k + p] = sum_of(sums) + rest;
        }
}

static void matmul_tn(struct matmul_size s, float scale, const float *restrict a,
                      const float *restrict d, float *restrict b)
{
    for (int p = 0; p < s.k; p++)
        for (int j = 0; j < s.n; j++) {
            float sum = 0;
            for (int i = 0; i < s.m; i++)
                sum += a[(size_t)i * s.k + p] * d[(size_t)i * s.n + j];
            b[(size_t)p * s.n + j] += scale * sum;
        }
}

static int run(void *state, const void *const in[], void *const out[])
{
    static const struct minibatch_products products = {matmul_nn, matmul_nt, matmul_tn};
    return minibatch_run(state, &products, in, out);
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_minibatch", "minibatch_simd", minibatch_open,
                                        run,     minibatch_close};
