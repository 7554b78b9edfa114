/* cuBLAS on the CPU device: products of matrices. */
#include "device/include/cublas_v2.h"

#include <stdint.h>
#include <stdlib.h>

#include "device/libraries/gemm.h"
#include "device/runtime/device.h"

/* One matrix as the caller has it. */
struct operand {
    const void *data;
    cudaDataType type;
    int rows, columns, ld; /* as stored */
    long long stride;      /* to the next product's */
};

static size_t element_bytes(cudaDataType type)
{
    return type == CUDA_R_16F ? 2 : 4;
}

/* Elements from the first to the last one of a matrix. */
static size_t extent(const struct operand *o)
{
    return o->rows && o->columns ? (size_t)(o->columns - 1) * (size_t)o->ld + (size_t)o->rows : 0;
}

/* Product number i's matrix in fp32: where it lies, or copied to `room`. */
static const float *as_floats(const struct operand *o, int i, float *room)
{
    const size_t n = extent(o);
    if (o->type == CUDA_R_32F)
        return (const float *)o->data + i * o->stride;
    const uint16_t *half = (const uint16_t *)o->data + i * o->stride;
    for (size_t at = 0; at < n; at++)
        room[at] = dev_from_half(half[at]);
    return room;
}

static cublasStatus_t operand_status(const char *call, const struct operand *o, const char *name)
{
    if (o->type != CUDA_R_32F && o->type != CUDA_R_16F) {
        dev_refuse(call, "%s of type %d; CUDA_R_32F and CUDA_R_16F are", name, (int)o->type);
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    if (o->rows < 0 || o->columns < 0)
        dev_says("matrix %s has %d rows and %d columns", name, o->rows, o->columns);
    else if (o->ld < (o->rows > 1 ? o->rows : 1))
        dev_says("the leading dimension of %s is %d, but %s, which stands by columns, has %d rows "
                 "and %d columns in memory, before CUBLAS_OP_T turns it",
                 name, o->ld, name, o->rows, o->columns);
    else if (!o->data && extent(o))
        dev_says("matrix %s is NULL", name);
    else
        return CUBLAS_STATUS_SUCCESS;
    return CUBLAS_STATUS_INVALID_VALUE;
}

/* Ends the program where the matrices of `count` products reach over the end of their allocation:
 * a GPU would read and write what is others' there. */
static void stay_inside(const struct operand *o, const char *name, int count)
{
    if (count < 1 || extent(o) == 0)
        return;
    const size_t have = dev_bytes_behind(o->data) / element_bytes(o->type);
    const long long most = (long long)extent(o) + (o->stride > 0 ? (count - 1) * o->stride : 0);
    if (most <= (long long)have)
        return;
    dev_says("cuBLAS: matrix %s (%d x %d, leading dimension %d) takes %lld numbers, its memory "
             "holds %zu",
             name, o->rows, o->columns, o->ld, most, have);
    exit(EXIT_FAILURE);
}

/* Matrix c as floats, and back to what it is. */
static void multiply(bool ta, bool tb, int k, float alpha, const float *a, int lda, const float *b,
                     int ldb, float beta, const struct operand *c, int i, float *room)
{
    if (c->type == CUDA_R_32F) {
        float *to = (float *)(uintptr_t)c->data + i * c->stride;
        dev_sgemm(ta, tb, c->rows, c->columns, k, alpha, a, lda, b, ldb, beta, to, c->ld);
    } else {
        uint16_t *to = (uint16_t *)(uintptr_t)c->data + i * c->stride;
        if (beta != 0)
            as_floats(c, i, room);
        dev_sgemm(ta, tb, c->rows, c->columns, k, alpha, a, lda, b, ldb, beta, room, c->ld);
        for (int column = 0; column < c->columns; column++)
            for (int row = 0; row < c->rows; row++) {
                const size_t at = (size_t)column * (size_t)c->ld + (size_t)row;
                to[at] = dev_to_half(room[at]);
            }
    }
    for (int column = 0; column < c->columns; column++)
        dev_wrote((const char *)c->data +
                      ((size_t)(i * c->stride) + (size_t)column * (size_t)c->ld) *
                          element_bytes(c->type),
                  (size_t)c->rows * element_bytes(c->type));
}

static cublasStatus_t products(const char *call, cublasHandle_t handle, cublasOperation_t transa,
                               cublasOperation_t transb, int k, float alpha,
                               const struct operand *a, const struct operand *b, float beta,
                               const struct operand *c, int count)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const struct operand *all[] = {a, b, c};
    const char *names[] = {"A", "B", "C"};
    for (int i = 0; i < 3; i++) {
        const cublasStatus_t status = operand_status(call, all[i], names[i]);
        if (status != CUBLAS_STATUS_SUCCESS)
            return status;
    }
    if (count < 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    for (int i = 0; i < 3; i++)
        stay_inside(all[i], names[i], count);
    float *room[3] = {NULL};
    bool have = true;
    for (int i = 0; i < 3; i++)
        if (all[i]->type != CUDA_R_32F)
            have &= (room[i] = malloc((extent(all[i]) + 1) * sizeof(float))) != NULL;
    dev_library_works(true);
    for (int i = 0; have && i < count; i++)
        multiply(transa != CUBLAS_OP_N, transb != CUBLAS_OP_N, k, alpha, as_floats(a, i, room[0]),
                 a->ld, as_floats(b, i, room[1]), b->ld, beta, c, i, room[2]);
    dev_library_works(false);
    for (int i = 0; i < 3; i++)
        free(room[i]);
    return have ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

static struct operand operand(const void *data, cudaDataType type, bool transposed, int rows,
                              int columns, int ld, long long stride)
{
    return (struct operand){data, type,  transposed ? columns : rows, transposed ? rows : columns,
                            ld,   stride};
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType type_a,
                                          int lda, long long stride_a, const void *b,
                                          cudaDataType type_b, int ldb, long long stride_b,
                                          const void *beta, void *c, cudaDataType type_c, int ldc,
                                          long long stride_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm)
{
    (void)algorithm;
    if (compute < CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_64F) {
        dev_refuse(__func__, "compute type %d; those of 32F are", (int)compute);
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    if (!alpha || !beta)
        return CUBLAS_STATUS_INVALID_VALUE;
    const struct operand of_a = operand(a, type_a, transa != CUBLAS_OP_N, m, k, lda, stride_a),
                         of_b = operand(b, type_b, transb != CUBLAS_OP_N, k, n, ldb, stride_b),
                         of_c = operand(c, type_c, false, m, n, ldc, stride_c);
    return products(__func__, handle, transa, transb, k, *(const float *)alpha, &of_a, &of_b,
                    *(const float *)beta, &of_c, count);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType type_a, int lda, const void *b,
                            cudaDataType type_b, int ldb, const void *beta, void *c,
                            cudaDataType type_c, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm)
{
    return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, a, type_a, lda, 0, b,
                                      type_b, ldb, 0, beta, c, type_c, ldc, 0, 1, compute,
                                      algorithm);
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const float *alpha, const float *a, int lda,
                                         long long stride_a, const float *b, int ldb,
                                         long long stride_b, const float *beta, float *c, int ldc,
                                         long long stride_c, int count)
{
    return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, a, CUDA_R_32F, lda,
                                      stride_a, b, CUDA_R_32F, ldb, stride_b, beta, c, CUDA_R_32F,
                                      ldc, stride_c, count, CUBLAS_COMPUTE_32F,
                                      CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const float *alpha,
                           const float *a, int lda, const float *b, int ldb, const float *beta,
                           float *c, int ldc)
{
    return cublasSgemmStridedBatched(handle, transa, transb, m, n, k, alpha, a, lda, 0, b, ldb, 0,
                                     beta, c, ldc, 0, 1);
}
