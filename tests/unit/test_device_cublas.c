/* cuBLAS on the CPU device against sums written out in double. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/random.h"
#include "device/include/cublas_v2.h"
#include "device/include/cuda_runtime_api.h"
#include "device/libraries/gemm.h"
#include "device/runtime/generated.h"

#define EVERYWHERE ((void *)1)

static struct hpc_random random_state;

static float draw(void)
{
    return (float)((double)hpc_random_below(&random_state, 2001) / 1000 - 1);
}

static float *drawn(size_t n)
{
    float *p = malloc(n * sizeof *p);
    for (size_t i = 0; i < n; i++)
        p[i] = draw();
    return p;
}

static uint16_t *halves(const float *from, size_t n)
{
    uint16_t *p = malloc(n * sizeof *p);
    for (size_t i = 0; i < n; i++)
        p[i] = dev_to_half(from[i]);
    return p;
}

static void near(double got, double want, double bound)
{
    if (!(fabs(got - want) <= bound))
        fail_msg("%.9g, should be %.9g within %.2g", got, want, bound);
}

typedef void gemm(bool, bool, int, int, int, float, const float *, int, const float *, int, float,
                  float *, int);

static void try_gemm(gemm *multiply, bool ta, bool tb, int m, int n, int k, float beta)
{
    const int lda = (ta ? k : m) + 3, ldb = (tb ? n : k) + 1, ldc = m + 2;
    float *a = drawn((size_t)lda * (size_t)(ta ? m : k)),
          *b = drawn((size_t)ldb * (size_t)(tb ? k : n));
    float *c = drawn((size_t)ldc * (size_t)n),
          *before = malloc((size_t)ldc * (size_t)n * sizeof *c);
    if (beta == 0) /* which may not read C */
        c[0] = NAN;
    memcpy(before, c, (size_t)ldc * (size_t)n * sizeof *c);
    multiply(ta, tb, m, n, k, 0.5F, a, lda, b, ldb, beta, c, ldc);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < ldc; i++) {
            double sum = 0;
            if (i >= m) { /* between the columns */
                assert_true(c[j * ldc + i] == before[j * ldc + i]);
                continue;
            }
            for (int l = 0; l < k; l++)
                sum += (double)(ta ? a[i * lda + l] : a[l * lda + i]) *
                       (tb ? b[l * ldb + j] : b[j * ldb + l]);
            near(c[j * ldc + i], 0.5 * sum + (beta == 0 ? 0 : beta * before[j * ldc + i]), 2e-5);
        }
    free(a);
    free(b);
    free(c);
    free(before);
}

static void products(void **state)
{
    const int sizes[][3] = {{1, 1, 1}, {7, 5, 3}, {33, 17, 65}, {1, 40, 2}, {13, 1, 200}};
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int t = 0; t < 8; t++)
            for (int plain = 0; plain < 2; plain++)
                try_gemm(plain ? dev_sgemm_plain : dev_sgemm, t & 1, t & 2, sizes[s][0],
                         sizes[s][1], sizes[s][2], t & 4 ? 0.25F : 0);
}

static void half_conversions(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 65536; h++) {
        const float value = dev_from_half((uint16_t)h);
        if (isnan(value))
            assert_true((h & 0x7c00) == 0x7c00 && (h & 0x3ff));
        else
            assert_int_equal(dev_to_half(value), h);
        /* Between two neighbours: the even one. */
        if ((h & 0x7fff) >= 0x7bff)
            continue;
        const float middle = (value + dev_from_half((uint16_t)(h + 1))) / 2;
        assert_int_equal(dev_to_half(middle), h & 1 ? h + 1 : h);
    }
    near(dev_from_half(0x3c00), 1, 0);
    near(dev_from_half(0x0001), 0x1p-24, 0);
    assert_int_equal(dev_to_half(65519.0F), 0x7bff);
    assert_int_equal(dev_to_half(65520.0F), 0x7c00);
    assert_int_equal(dev_to_half(-1e30F), 0xfc00);
    assert_int_equal(dev_to_half(-0.0F), 0x8000);
    assert_int_equal(dev_to_half(0x1p-26F), 0);
}

static void batched_halves(void **state)
{
    enum { M = 5, N = 4, K = 6, COUNT = 3 };
    const float alpha = 2, beta = 1;
    float *a = drawn(M * K * COUNT), *b = drawn(K * N * COUNT), *c = drawn(M * N * COUNT);
    uint16_t *ha = halves(a, M * K * COUNT), *hb = halves(b, K * N * COUNT),
             *hc = halves(c, M * N * COUNT);
    cublasHandle_t handle;
    (void)state;
    assert_int_equal(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
    assert_int_equal(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &alpha,
                                                ha, CUDA_R_16F, M, M * K, hb, CUDA_R_16F, K, K * N,
                                                &beta, hc, CUDA_R_16F, M, M * N, COUNT,
                                                CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                     CUBLAS_STATUS_SUCCESS);
    for (int p = 0; p < COUNT; p++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < M; i++) {
                const int at = p * M * N + j * M + i;
                double sum = (double)dev_from_half(dev_to_half(c[at]));
                for (int l = 0; l < K; l++)
                    sum += 2.0 * (double)dev_from_half(ha[p * M * K + l * M + i]) *
                           (double)dev_from_half(hb[p * K * N + j * K + l]);
                near(dev_from_half(hc[at]), sum, 0.004);
            }
    assert_int_equal(
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &alpha, a, M - 1, b, K, &beta, c, M),
        CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &alpha, a, CUDA_R_64F,
                                  M, b, CUDA_R_64F, K, &beta, c, CUDA_R_64F, M, CUBLAS_COMPUTE_32F,
                                  CUBLAS_GEMM_DEFAULT),
                     CUBLAS_STATUS_NOT_SUPPORTED);
    assert_int_equal(
        cublasSgemm(NULL, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &alpha, a, M, b, K, &beta, c, M),
        CUBLAS_STATUS_NOT_INITIALIZED);
    cublasDestroy(handle);
    free(a);
    free(b);
    free(c);
    free(ha);
    free(hb);
    free(hc);
}

/* Vectors apart by 2 and backwards, and a matrix in rows more than it has. */
static void vectors_and_a_matrix(void **state)
{
    (void)state;
    enum { M = 3, N = 4, LD = 5 };
    double x[2 * N] = {3, 9, -5, 9, 1, 9, 2, 9}, y[M] = {1, 2, 3}, a[LD * N], c[LD * N] = {0},
                 r = 0;
    float xs[2 * N], ys[M] = {1, 2, 3}, as[LD * N], rs = 0;
    const double two = 2, one = 1, nothing = 0;
    const float twos = 2, ones = 1;
    int i = 0;
    cublasHandle_t h;
    for (int k = 0; k < 2 * N; k++)
        xs[k] = (float)x[k];
    for (int k = 0; k < LD * N; k++)
        as[k] = (float)(a[k] = k % 7 - 3);
    assert_int_equal(cublasCreate(&h), CUBLAS_STATUS_SUCCESS);
    cublasIdamax(h, N, x, 2, &i);
    assert_int_equal(i, 2);
    cublasIsamin(h, N, xs, 2, &i);
    assert_int_equal(i, 3);
    cublasDasum(h, N, x, 2, &r);
    near(r, 11, 0);
    cublasSnrm2(h, N, xs, 2, &rs);
    near((double)rs, sqrt(39), 1e-6);
    cublasDdot(h, M, x, 2, y, -1, &r); /* 3 * 3 - 5 * 2 + 1 * 1 */
    near(r, 0, 0);
    cublasSdot(h, M, xs, 2, ys, 1, &rs);
    near((double)rs, -4, 0);
    cublasDgemv(h, CUBLAS_OP_T, N, M, &two, a, LD, x, 2, &one, y, 1);
    for (int j = 0; j < M; j++) {
        double want = j + 1;
        for (int k = 0; k < N; k++)
            want += 2 * a[k + j * LD] * x[2 * k];
        near(y[j], want, 1e-12);
    }
    cublasSgemv(h, CUBLAS_OP_N, M, N, &twos, as, LD, xs, 2, &ones, ys, 1);
    for (int j = 0; j < M; j++) {
        double want = j + 1;
        for (int k = 0; k < N; k++)
            want += 2 * a[j + k * LD] * x[2 * k];
        near((double)ys[j], want, 1e-5);
    }
    cublasDgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, N, M, &one, a, LD, &nothing, NULL, N, c, LD);
    near(c[2 + 1 * LD], a[1 + 2 * LD], 0);
    cublasDger(h, M, N, &two, y, 1, x, 2, a, LD);
    near(a[1 + 2 * LD], (1 + 2 * LD) % 7 - 3 + 2 * y[1] * x[4], 1e-12);
    cublasDaxpy(h, M, &two, y, 1, x, 2);
    near(x[2], -5 + 2 * y[1], 1e-12);
    const double first = y[0], last = c[2];
    cublasDscal(h, M, &two, y, 1);
    cublasDswap(h, M, y, 1, c, -1);
    near(y[0], last, 0);
    near(c[2], 2 * first, 0);
    cublasDcopy(h, M, c, 1, y, -1);
    near(y[0], c[2], 0);
    assert_int_equal(cublasDgemv(h, CUBLAS_OP_N, M, N, &one, a, 2, x, 1, &one, y, 1),
                     CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasDasum(NULL, N, x, 2, &r), CUBLAS_STATUS_NOT_INITIALIZED);
    cublasDestroy(h);
}

/* C = A' B, and copies of a matrix whose columns lie apart. */
static void doubles_and_copies(void **state)
{
    (void)state;
    enum { M = 3, N = 2, K = 4 };
    const double one = 1, none = 0;
    double a[K * M], b[K * N], c[M * N], *room = NULL, back[K * M];
    dev_api_malloc((void **)&room, 5 * M * sizeof *room, DEV_GLOBAL, (struct dev_site){"test", 1});
    cublasHandle_t h;
    cublasCreate(&h);
    for (int i = 0; i < K * M; i++)
        a[i] = i % 5 - 2;
    for (int i = 0; i < K * N; i++)
        b[i] = i % 3 + 1;
    c[0] = NAN;
    cublasDgemm(h, CUBLAS_OP_T, CUBLAS_OP_N, M, N, K, &one, a, K, b, K, &none, c, M);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            double want = 0;
            for (int l = 0; l < K; l++)
                want += a[l + i * K] * b[l + j * K];
            near(c[i + j * M], want, 1e-12);
        }
    cublasDestroy(h);
    assert_int_equal(cublasSetMatrix(K, M, sizeof *a, a, K, room, 5), CUBLAS_STATUS_SUCCESS);
    near(room[5 + 1], a[K + 1], 0);
    assert_int_equal(cublasGetMatrix(K, M, sizeof *a, room, 5, back, K), CUBLAS_STATUS_SUCCESS);
    assert_memory_equal(back, a, sizeof a);
    assert_int_equal(cublasSetVector(3, sizeof *a, a, 2, room, 1), CUBLAS_STATUS_SUCCESS);
    near(room[2], a[4], 0);
    assert_int_equal(cublasGetVector(3, sizeof *a, room, 1, back, 3), CUBLAS_STATUS_SUCCESS);
    near(back[6], a[4], 0);
    assert_int_equal(cublasSetMatrix(K, M, 8, a, 3, room, 5), CUBLAS_STATUS_INVALID_VALUE);
}

/* A pointer of the other side, in each place that has one, and room for less than is asked for. */
static void pointers_of_the_other_side(void **state)
{
    (void)state;
    enum { N = 4 };
    float host[N * N] = {0}, one = 1, *d = NULL, *shorter = NULL;
    cublasHandle_t h;
    cublasCreate(&h);
    cudaHostUnregister(EVERYWHERE);
    const struct dev_site here = {__FILE__, __LINE__};
    dev_api_malloc((void **)&d, sizeof host, DEV_GLOBAL, here);
    dev_api_malloc((void **)&shorter, sizeof host - 4, DEV_GLOBAL, here);
    const float *inputs[] = {d, host};
    for (int wrong = 0; wrong < 16; wrong++) {
        float *c = wrong & 4 ? host : d;
        const cublasStatus_t got =
            cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, N, N, N, wrong & 8 ? d : &one,
                        inputs[wrong & 1], N, inputs[wrong >> 1 & 1], N, &one, c, N);
        assert_int_equal(got, wrong ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS);
    }
    assert_int_equal(cublasSaxpy(h, N, &one, d, 1, host, 1), CUBLAS_STATUS_EXECUTION_FAILED);
    assert_int_equal(cublasSdot(h, N, d, 1, host, 1, &one), CUBLAS_STATUS_EXECUTION_FAILED);
    assert_int_equal(cublasSgemv(h, CUBLAS_OP_N, N, N, &one, shorter, N, d, 1, &one, d, 1),
                     CUBLAS_STATUS_EXECUTION_FAILED);
    assert_int_equal(cublasSetVector(N, 4, d, 1, d, 1), CUBLAS_STATUS_MAPPING_ERROR);
    assert_int_equal(cublasSetVector(N, 4, host, 1, d, 1), CUBLAS_STATUS_SUCCESS);
    assert_int_equal(cudaGetLastError(), cudaErrorIllegalAddress);
    cublasDestroy(h);
    cudaHostRegister(EVERYWHERE, SIZE_MAX / 2, cudaHostRegisterDefault);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(vectors_and_a_matrix),
                                       cmocka_unit_test(doubles_and_copies),
                                       cmocka_unit_test(products),
                                       cmocka_unit_test(half_conversions),
                                       cmocka_unit_test(batched_halves),
                                       cmocka_unit_test(pointers_of_the_other_side)};
    hpc_random_init(&random_state, 5, 5);
    /* A device may use memory of the host that is registered: here all. */
    cudaHostRegister(EVERYWHERE, SIZE_MAX / 2, cudaHostRegisterDefault);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
