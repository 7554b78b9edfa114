/* cuBLAS on the CPU device: vectors, a matrix and a vector, and products in fp32 and fp64, products
 * in half through fp32; those of fp32 over OpenBLAS where it is found (device/libraries/gemm.h).
 * What is not answered returns CUBLAS_STATUS_NOT_SUPPORTED with a line on stderr that says what.
 * Matrices are stored by columns, as cuBLAS has them; alpha and beta lie on the host. Calls return
 * when the result stands. Names and values are CUDA's. */
#ifndef HPC_DEVICE_CUBLAS_V2_H
#define HPC_DEVICE_CUBLAS_V2_H
#define CUBLAS_API_H_ /* what helper headers ask for */
#define CUBLAS_V2_H_

#include <stddef.h>

#include "library_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CUstream_st *cudaStream_t;
typedef struct cublasContext *cublasHandle_t;

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16,
} cublasStatus_t;

typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
} cublasMath_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
} cublasComputeType_t;
typedef enum {
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
} cublasGemmAlgo_t;

cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

/* Level 1. x and y hold n elements, incx and incy apart; results lie where the handle says. */
#define HPC_CUBLAS_VECTORS(type, S, s)                                                             \
    cublasStatus_t cublasI##s##amax(cublasHandle_t handle, int n, const type *x, int incx,         \
                                    int *result); /* counts from 1 */                              \
    cublasStatus_t cublasI##s##amin(cublasHandle_t handle, int n, const type *x, int incx,         \
                                    int *result);                                                  \
    cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const type *x, int incx,          \
                                   type *result);                                                  \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const type *x, int incx,          \
                                   type *result);                                                  \
    cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const type *x, int incx,           \
                                  const type *y, int incy, type *result);                          \
    cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const type *alpha, const type *x, \
                                   int incx, type *y, int incy); /* y += alpha x */                \
    cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const type *alpha, type *x,       \
                                   int incx);                                                      \
    cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const type *x, int incx, type *y, \
                                   int incy);                                                      \
    cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, type *x, int incx, type *y,       \
                                   int incy);
/* Level 2: y = alpha op(A) x + beta y; A += alpha x y'; C = alpha op(A) + beta op(B), m x n. */
#define HPC_CUBLAS_MATRICES(type, S)                                                               \
    cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,   \
                                   const type *alpha, const type *a, int lda, const type *x,       \
                                   int incx, const type *beta, type *y, int incy);                 \
    cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const type *alpha,          \
                                  const type *x, int incx, const type *y, int incy, type *a,       \
                                  int lda);                                                        \
    cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t transa,                \
                                   cublasOperation_t transb, int m, int n, const type *alpha,      \
                                   const type *a, int lda, const type *beta, const type *b,        \
                                   int ldb, type *c, int ldc);
HPC_CUBLAS_VECTORS(float, S, s)
HPC_CUBLAS_VECTORS(double, D, d)
HPC_CUBLAS_MATRICES(float, S)
HPC_CUBLAS_MATRICES(double, D)
#undef HPC_CUBLAS_VECTORS
#undef HPC_CUBLAS_MATRICES

/* Copies between host and device of elements of `bytes` bytes. */
cublasStatus_t cublasSetVector(int n, int bytes, const void *x, int incx, void *device, int incy);
cublasStatus_t cublasGetVector(int n, int bytes, const void *device, int incx, void *y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void *a, int lda,
                               void *device, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void *device, int lda,
                               void *b, int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int bytes, const void *x, int incx, void *device,
                                    int incy, cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int bytes, const void *device, int incx, void *y,
                                    int incy, cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int bytes, const void *a, int lda,
                                    void *device, int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int bytes, const void *device, int lda,
                                    void *b, int ldb, cudaStream_t stream);

/* C = alpha op(A) op(B) + beta C: op(A) is m x k, op(B) k x n, C m x n; lda, ldb, ldc >= rows. */
cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const double *alpha,
                           const double *a, int lda, const double *b, int ldb, const double *beta,
                           double *c, int ldc);
cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const float *alpha,
                           const float *a, int lda, const float *b, int ldb, const float *beta,
                           float *c, int ldc);
/* The same for `count` products; matrix i of A begins at a + i * stride_a. */
cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const float *alpha, const float *a, int lda,
                                         long long stride_a, const float *b, int ldb,
                                         long long stride_b, const float *beta, float *c, int ldc,
                                         long long stride_c, int count);
/* Elements of CUDA_R_32F or CUDA_R_16F, sums in fp32 (CUBLAS_COMPUTE_32F and its fast forms). */
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType type_a, int lda, const void *b,
                            cudaDataType type_b, int ldb, const void *beta, void *c,
                            cudaDataType type_c, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType type_a,
                                          int lda, long long stride_a, const void *b,
                                          cudaDataType type_b, int ldb, long long stride_b,
                                          const void *beta, void *c, cudaDataType type_c, int ldc,
                                          long long stride_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm);

#ifdef __cplusplus
}
#endif
#endif
