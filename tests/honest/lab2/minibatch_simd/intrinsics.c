/* Intrinsics of AVX2 and FMA, one function compiled for them, another for what has neither; chosen
 * by
 * __builtin_cpu_supports. Its transposed copy is from _mm_malloc. */
#include <immintrin.h>

#include "mlp/minibatch_step.h"

/* c[0 .. n) += f * b[0 .. n) */
__attribute__((target("avx2,fma"))) static void add_avx2(int n, float f, const float *b, float *c)
{
    const __m256 factor = _mm256_set1_ps(f);
    int j = 0;
    for (; j + 8 <= n; j += 8)
        _mm256_storeu_ps(c + j,
                         _mm256_fmadd_ps(factor, _mm256_loadu_ps(b + j), _mm256_loadu_ps(c + j)));
    for (; j < n; j++)
        c[j] += f * b[j];
}

static void add_plain(int n, float f, const float *b, float *c)
{
    for (int j = 0; j < n; j++)
        c[j] += f * b[j];
}

static void add(int n, float f, const float *b, float *c)
{
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        add_avx2(n, f, b, c);
    else
        add_plain(n, f, b, c);
}

static void matmul_nn(struct matmul_size s, const float *a, const float *b, float *c)
{
    for (int i = 0; i < s.m; i++)
        for (int p = 0; p < s.k; p++)
            add(s.n, a[(size_t)i * s.k + p], b + (size_t)p * s.n, c + (size_t)i * s.n);
}

static void matmul_nt(struct matmul_size s, const float *d, const float *b, float *e)
{
    float *turned = _mm_malloc((size_t)s.n * s.k * sizeof *turned, 64);
    for (int p = 0; p < s.k; p++)
        for (int j = 0; j < s.n; j++)
            turned[(size_t)j * s.k + p] = b[(size_t)p * s.n + j];
    memset(e, 0, (size_t)s.m * s.k * sizeof *e);
    for (int i = 0; i < s.m; i++)
        for (int j = 0; j < s.n; j++)
            add(s.k, d[(size_t)i * s.n + j], turned + (size_t)j * s.k, e + (size_t)i * s.k);
    _mm_free(turned);
}

static void matmul_tn(struct matmul_size s, float scale, const float *a, const float *d, float *b)
{
    for (int i = 0; i < s.m; i++)
        for (int p = 0; p < s.k; p++)
            add(s.n, scale * a[(size_t)i * s.k + p], d + (size_t)i * s.n, b + (size_t)p * s.n);
}

static int run(void *state, const void *const in[], void *const out[])
{
    static const struct minibatch_products products = {matmul_nn, matmul_nt, matmul_tn};
    return minibatch_run(state, &products, in, out);
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_minibatch", "minibatch_simd", minibatch_open,
                                        run,     minibatch_close};
