/* cuBLAS on the CPU device: products of matrices. */
#include "device/include/cublas_v2.h"

#include <stdint.h>
#include <stdio.h>
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
                 "and %d columns in memory: are m, n, k and operands in the order of matrices that "
                 "stand by columns?",
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
    const bool one_fits = extent(o) <= have;
    char apart[100] = "";
    if (count > 1)
        snprintf(apart, sizeof apart, " of %d products, %lld numbers apart,", count, o->stride);
    dev_says("cuBLAS: matrix %s (%d x %d, leading dimension %d)%s takes %lld numbers, its memory "
             "holds %zu%s",
             name, o->rows, o->columns, o->ld, apart, most, have,
             one_fits ? ": a matrix that all products share has stride 0"
                      : ": matrices stand by columns");
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

/* The memory of `count` products' matrices: by columns, or where several lie apart by matrices. */
static struct dev_argument argument(const struct operand *o, const char *name, int count,
                                    bool write)
{
    const size_t size = element_bytes(o->type), all = count > 0 ? (size_t)count : 0;
    struct dev_rows rows = {o->data, (size_t)o->ld * size, (size_t)o->rows * size,
                            (size_t)o->columns, write};
    if (all > 1 && o->stride > 0)
        rows = (struct dev_rows){o->data, (size_t)o->stride * size, extent(o) * size, all, write};
    else if (all == 0)
        rows.width = 0;
    return (struct dev_argument){name, rows, false, false};
}

static cublasStatus_t products(const struct dev_library_call *by, cublasOperation_t transa,
                               cublasOperation_t transb, int k, const float *alpha,
                               const struct operand *a, const struct operand *b, const float *beta,
                               const struct operand *c, int count)
{
    const struct operand *all[] = {a, b, c};
    const char *names[] = {"A", "B", "C"};
    for (int i = 0; i < 3; i++) {
        const cublasStatus_t status = operand_status(by->name, all[i], names[i]);
        if (status != CUBLAS_STATUS_SUCCESS)
            return status;
    }
    if (count < 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    for (int i = 0; i < 3; i++)
        stay_inside(all[i], names[i], count);
    const struct dev_argument arguments[] = {
        dev_scalar("alpha", alpha, 4, false), dev_scalar("beta", beta, 4, false),
        argument(a, "matrix A", k ? count : 0, false),
        argument(b, "matrix B", k ? count : 0, false), argument(c, "matrix C", count, true)};
    if (!dev_library_takes(by, arguments, 5))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    float *room[3] = {NULL};
    bool have = true;
    for (int i = 0; i < 3; i++)
        if (all[i]->type != CUDA_R_32F)
            have &= (room[i] = malloc((extent(all[i]) + 1) * sizeof(float))) != NULL;
    dev_library_works(true);
    for (int i = 0; have && i < count; i++)
        multiply(transa != CUBLAS_OP_N, transb != CUBLAS_OP_N, k, *alpha, as_floats(a, i, room[0]),
                 a->ld, as_floats(b, i, room[1]), b->ld, *beta, c, i, room[2]);
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

/* All the arguments of the longest form. */
struct form {
    cublasOperation_t transa, transb;
    int m, n, k;
    const void *alpha, *beta, *a, *b, *c;
    cudaDataType type_a, type_b, type_c;
    int lda, ldb, ldc;
    long long stride_a, stride_b, stride_c;
    int count;
    cublasComputeType_t compute;
};

static cublasStatus_t take(const char *call, cublasHandle_t handle, const struct form *f,
                           const void *from)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (f->compute < CUBLAS_COMPUTE_32F || f->compute == CUBLAS_COMPUTE_64F) {
        dev_refuse(call, "compute type %d; those of 32F are", (int)f->compute);
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    if (!f->alpha || !f->beta)
        return CUBLAS_STATUS_INVALID_VALUE;
    const struct dev_library_call by = dev_cublas_call(handle, call, from);
    const bool ta = f->transa != CUBLAS_OP_N, tb = f->transb != CUBLAS_OP_N;
    const struct operand a = operand(f->a, f->type_a, ta, f->m, f->k, f->lda, f->stride_a),
                         b = operand(f->b, f->type_b, tb, f->k, f->n, f->ldb, f->stride_b),
                         c = operand(f->c, f->type_c, false, f->m, f->n, f->ldc, f->stride_c);
    return products(&by, f->transa, f->transb, f->k, f->alpha, &a, &b, f->beta, &c, f->count);
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
    const struct form f = {transa, transb, m,        n,        k,        alpha,  beta,
                           a,      b,      c,        type_a,   type_b,   type_c, lda,
                           ldb,    ldc,    stride_a, stride_b, stride_c, count,  compute};
    return take(__func__, handle, &f, __builtin_return_address(0));
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType type_a, int lda, const void *b,
                            cudaDataType type_b, int ldb, const void *beta, void *c,
                            cudaDataType type_c, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm)
{
    (void)algorithm;
    const struct form f = {transa, transb, m,   n,   k,   alpha, beta, a, b, c,      type_a,
                           type_b, type_c, lda, ldb, ldc, 0,     0,    0, 1, compute};
    return take(__func__, handle, &f, __builtin_return_address(0));
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const float *alpha, const float *a, int lda,
                                         long long stride_a, const float *b, int ldb,
                                         long long stride_b, const float *beta, float *c, int ldc,
                                         long long stride_c, int count)
{
    const struct form f = {
        transa, transb, m,        n,          k,          alpha,      beta,
        a,      b,      c,        CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, lda,
        ldb,    ldc,    stride_a, stride_b,   stride_c,   count,      CUBLAS_COMPUTE_32F};
    return take(__func__, handle, &f, __builtin_return_address(0));
}

cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const float *alpha,
                           const float *a, int lda, const float *b, int ldb, const float *beta,
                           float *c, int ldc)
{
    const struct form f = {
        transa, transb, m, n,          k,          alpha,      beta,
        a,      b,      c, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, lda,
        ldb,    ldc,    0, 0,          0,          1,          CUBLAS_COMPUTE_32F};
    return take(__func__, handle, &f, __builtin_return_address(0));
}
