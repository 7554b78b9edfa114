/* Matrix products for the oracle of mlp_minibatch, by the compiler's vectors: a tile of ROWS rows
 * and two vectors of c stays in registers while a strip of K runs by. The body is compiled twice,
 * for any processor and for AVX2 with FMA; the processor decides which one runs. */
#include "mlp/op/minibatch.h"

#define STRIP_K 256
#define STRIP_N 512
#define ROWS    4

#define INLINE static inline __attribute__((always_inline))

/* NAME_tile: ROWS x two vectors of c. NAME_rest: what no tile covers, m x n of c. */
#define DEFINE_PRODUCT(T, VEC, NAME)                                                               \
    typedef T VEC __attribute__((vector_size(32), aligned(sizeof(T)), may_alias));                 \
    INLINE void NAME##_tile(size_t k, size_t lda, size_t ldb, const T *a, const T *b, T *c)        \
    {                                                                                              \
        const size_t width = sizeof(VEC) / sizeof(T);                                              \
        VEC sum[ROWS][2] = {0};                                                                    \
        for (size_t p = 0; p < k; p++) {                                                           \
            VEC b0 = *(const VEC *)(b + p * ldb), b1 = *(const VEC *)(b + p * ldb + width);        \
            for (int r = 0; r < ROWS; r++) {                                                       \
                sum[r][0] += a[(size_t)r * lda + p] * b0;                                          \
                sum[r][1] += a[(size_t)r * lda + p] * b1;                                          \
            }                                                                                      \
        }                                                                                          \
        for (int r = 0; r < ROWS; r++) {                                                           \
            *(VEC *)(c + (size_t)r * ldb) += sum[r][0];                                            \
            *(VEC *)(c + (size_t)r * ldb + width) += sum[r][1];                                    \
        }                                                                                          \
    }                                                                                              \
    INLINE void NAME##_rest(size_t m, size_t n, size_t k, size_t lda, size_t ldb, const T *a,      \
                            const T *b, T *c)                                                      \
    {                                                                                              \
        for (size_t i = 0; i < m; i++)                                                             \
            for (size_t p = 0; p < k; p++)                                                         \
                for (size_t j = 0; j < n; j++)                                                     \
                    c[i * ldb + j] += a[i * lda + p] * b[p * ldb + j];                             \
    }                                                                                              \
    INLINE void NAME##_strip(size_t m, size_t n, size_t k, size_t lda, size_t ldb, const T *a,     \
                             const T *b, T *c)                                                     \
    {                                                                                              \
        const size_t step = 2 * sizeof(VEC) / sizeof(T);                                           \
        size_t tiled_m = m - m % ROWS, tiled_n = n - n % step;                                     \
        for (size_t i = 0; i < tiled_m; i += ROWS)                                                 \
            for (size_t j = 0; j < tiled_n; j += step)                                             \
                NAME##_tile(k, lda, ldb, a + i * lda, b + j, c + i * ldb + j);                     \
        NAME##_rest(tiled_m, n - tiled_n, k, lda, ldb, a, b + tiled_n, c + tiled_n);               \
        NAME##_rest(m - tiled_m, n, k, lda, ldb, a + tiled_m * lda, b, c + tiled_m * ldb);         \
    }                                                                                              \
    INLINE void NAME##_all(size_t m, size_t n, size_t k, const T *a, const T *b, T *c)             \
    {                                                                                              \
        for (size_t j = 0; j < n; j += STRIP_N)                                                    \
            for (size_t p = 0; p < k; p += STRIP_K)                                                \
                NAME##_strip(m, n - j < STRIP_N ? n - j : STRIP_N,                                 \
                             k - p < STRIP_K ? k - p : STRIP_K, k, n, a + p, b + p * n + j,        \
                             c + j);                                                               \
    }                                                                                              \
    DEFINE_AVX2(T, NAME)                                                                           \
    void mlp_##NAME(size_t m, size_t n, size_t k, const T *a, const T *b, T *c)                    \
    {                                                                                              \
        if (CALL_AVX2(NAME))                                                                       \
            return;                                                                                \
        NAME##_all(m, n, k, a, b, c);                                                              \
    }

#ifdef __x86_64__
#define DEFINE_AVX2(T, NAME)                                                                       \
    __attribute__((target("avx2,fma"))) static void NAME##_avx2(size_t m, size_t n, size_t k,      \
                                                                const T *a, const T *b, T *c)      \
    {                                                                                              \
        NAME##_all(m, n, k, a, b, c);                                                              \
    }
#define CALL_AVX2(NAME)                                                                            \
    (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&                            \
     (NAME##_avx2(m, n, k, a, b, c), 1))
#else
#define DEFINE_AVX2(T, NAME)
#define CALL_AVX2(NAME) 0
#endif

DEFINE_PRODUCT(double, vec_f64, product_f64)
DEFINE_PRODUCT(float, vec_f32, product_f32)
