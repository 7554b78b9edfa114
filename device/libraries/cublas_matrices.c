/* cuBLAS on the CPU device: level 2 and copies. Matrices are stored by columns. */
#include "device/include/cublas_v2.h"
#include "device/include/cuda_runtime_api.h"
#include "device/libraries/gemm.h"

static size_t place(int i, int n, int step)
{
    return (size_t)(step < 0 ? (ptrdiff_t)(i - n + 1) * step : (ptrdiff_t)i * step);
}

/* Of a matrix, or of the transposed one. */
static size_t element(bool transposed, int row, int column, int ld)
{
    return transposed ? (size_t)column + (size_t)row * (size_t)ld
                      : (size_t)row + (size_t)column * (size_t)ld;
}

static bool fits(int rows, int columns, int ld)
{
    return rows >= 0 && columns >= 0 && ld >= (rows > 1 ? rows : 1);
}

static cublasStatus_t status_of(cublasHandle_t handle, bool good)
{
    return !handle ? CUBLAS_STATUS_NOT_INITIALIZED
           : good  ? CUBLAS_STATUS_SUCCESS
                   : CUBLAS_STATUS_INVALID_VALUE;
}

/* What is multiplied by 0 is not read. */
#define MATRICES(type, S)                                                                          \
    cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,   \
                                   const type *alpha, const type *a, int lda, const type *x,       \
                                   int incx, const type *beta, type *y, int incy)                  \
    {                                                                                              \
        const cublasStatus_t status =                                                              \
            status_of(handle, alpha && beta && incx && incy && fits(m, n, lda));                   \
        const bool t = trans != CUBLAS_OP_N;                                                       \
        const int rows = t ? n : m, columns = t ? m : n;                                           \
        if (status)                                                                                \
            return status;                                                                         \
        DEV_CUBLAS_BEGINS(                                                                         \
            handle, dev_scalar("alpha", alpha, sizeof *alpha, false),                              \
            dev_scalar("beta", beta, sizeof *beta, false),                                         \
            dev_matrix("matrix A", a, *alpha != 0 ? m : 0, n, lda, sizeof *a, false),              \
            dev_vector("x", x, *alpha != 0 ? columns : 0, incx, sizeof *x, false),                 \
            dev_vector("y", y, rows, incy, sizeof *y, true));                                      \
        for (int i = 0; i < rows; i++) {                                                           \
            type *out = &y[place(i, rows, incy)];                                                  \
            double sum = 0;                                                                        \
            for (int k = 0; k < columns && *alpha != 0; k++)                                       \
                sum += (double)a[element(t, i, k, lda)] * (double)x[place(k, columns, incx)];      \
            *out = (type)(*alpha * sum + (*beta == 0 ? 0 : *beta * *out));                         \
            dev_wrote(out, sizeof *out);                                                           \
        }                                                                                          \
        dev_library_works(false);                                                                  \
        return status;                                                                             \
    }                                                                                              \
    cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const type *alpha,          \
                                  const type *x, int incx, const type *y, int incy, type *a,       \
                                  int lda)                                                         \
    {                                                                                              \
        const cublasStatus_t status = status_of(handle, alpha && incx && incy && fits(m, n, lda)); \
        if (status)                                                                                \
            return status;                                                                         \
        DEV_CUBLAS_BEGINS(handle, dev_scalar("alpha", alpha, sizeof *alpha, false),                \
                          dev_vector("x", x, m, incx, sizeof *x, false),                           \
                          dev_vector("y", y, n, incy, sizeof *y, false),                           \
                          dev_matrix("matrix A", a, m, n, lda, sizeof *a, true));                  \
        for (int j = 0; j < n; j++)                                                                \
            for (int i = 0; i < m; i++)                                                            \
                a[element(false, i, j, lda)] +=                                                    \
                    *alpha * x[place(i, m, incx)] * y[place(j, n, incy)];                          \
        dev_library_works(false);                                                                  \
        return status;                                                                             \
    }                                                                                              \
    cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t transa,                \
                                   cublasOperation_t transb, int m, int n, const type *alpha,      \
                                   const type *a, int lda, const type *beta, const type *b,        \
                                   int ldb, type *c, int ldc)                                      \
    {                                                                                              \
        const bool ta = transa != CUBLAS_OP_N, tb = transb != CUBLAS_OP_N;                         \
        const cublasStatus_t status =                                                              \
            status_of(handle, alpha && beta && fits(ta ? n : m, ta ? m : n, lda) &&                \
                                  fits(tb ? n : m, tb ? m : n, ldb) && fits(m, n, ldc));           \
        if (status)                                                                                \
            return status;                                                                         \
        DEV_CUBLAS_BEGINS(handle, dev_scalar("alpha", alpha, sizeof *alpha, false),                \
                          dev_scalar("beta", beta, sizeof *beta, false),                           \
                          dev_matrix("matrix A", a,                                                \
                                     *alpha == 0 ? 0                                               \
                                     : ta        ? n                                               \
                                                 : m,                                                     \
                                     ta ? m : n, lda, sizeof *a, false),                           \
                          dev_matrix("matrix B", b,                                                \
                                     *beta == 0 ? 0                                                \
                                     : tb       ? n                                                \
                                                : m,                                                     \
                                     tb ? m : n, ldb, sizeof *b, false),                           \
                          dev_matrix("matrix C", c, m, n, ldc, sizeof *c, true));                  \
        for (int j = 0; j < n; j++)                                                                \
            for (int i = 0; i < m; i++) {                                                          \
                type *out = &c[element(false, i, j, ldc)], sum = 0;                                \
                if (*alpha != 0)                                                                   \
                    sum += *alpha * a[element(ta, i, j, lda)];                                     \
                if (*beta != 0)                                                                    \
                    sum += *beta * b[element(tb, i, j, ldb)];                                      \
                *out = sum;                                                                        \
                dev_wrote(out, sizeof *out);                                                       \
            }                                                                                      \
        dev_library_works(false);                                                                  \
        return status;                                                                             \
    }

MATRICES(float, S)
MATRICES(double, D)

/* An element after another, as each is defined. */
cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const double *alpha,
                           const double *a, int lda, const double *b, int ldb, const double *beta,
                           double *c, int ldc)
{
    const bool ta = transa != CUBLAS_OP_N, tb = transb != CUBLAS_OP_N;
    const cublasStatus_t status =
        status_of(handle, alpha && beta && fits(ta ? k : m, ta ? m : k, lda) &&
                              fits(tb ? n : k, tb ? k : n, ldb) && fits(m, n, ldc));
    if (status)
        return status;
    DEV_CUBLAS_BEGINS(handle, dev_scalar("alpha", alpha, sizeof *alpha, false),
                      dev_scalar("beta", beta, sizeof *beta, false),
                      dev_matrix("matrix A", a, ta ? k : m, ta ? m : k, lda, sizeof *a, false),
                      dev_matrix("matrix B", b, tb ? n : k, tb ? k : n, ldb, sizeof *b, false),
                      dev_matrix("matrix C", c, m, n, ldc, sizeof *c, true));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double *out = &c[element(false, i, j, ldc)], sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[element(ta, i, l, lda)] * b[element(tb, l, j, ldb)];
            *out = *alpha * sum + (*beta == 0 ? 0 : *beta * *out);
            dev_wrote(out, sizeof *out);
        }
    dev_library_works(false);
    return status;
}

/* Columns of `rows` elements, as cudaMemcpy2D and cudaMemcpy2DAsync copy them; both leading
 * dimensions in elements. */
static cublasStatus_t copy(const struct dev_library_call *by, int rows, int columns, int bytes,
                           const void *from, int ld_from, void *to, int ld_to, bool to_device)
{
    if (bytes <= 0 || !fits(rows, columns, ld_from) || !fits(rows, columns, ld_to))
        return CUBLAS_STATUS_INVALID_VALUE;
    const size_t size = (size_t)bytes;
    struct dev_argument both[] = {
        dev_matrix("the source", from, rows, columns, ld_from, size, false),
        dev_matrix("the destination", to, rows, columns, ld_to, size, true)};
    struct dev_site site = {"?", 0};
    both[to_device ? 0 : 1].host = true;
    if (!dev_library_fits(by, both, 2))
        return CUBLAS_STATUS_MAPPING_ERROR;
#ifdef DEV_CHECK
    site = check_site_of(by->from);
#endif
    const cudaError_t error = dev_api_copy2d(
        by->name, to, (size_t)ld_to * size, from, (size_t)ld_from * size, (size_t)rows * size,
        (size_t)columns, to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost,
        (cudaStream_t)(uintptr_t)by->stream, site);
    return error ? CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS;
}

#define COPIES(Async, stream, ...)                                                                 \
    cublasStatus_t cublasSetVector##Async(int n, int bytes, const void *x, int incx, void *device, \
                                          int incy __VA_ARGS__)                                    \
    {                                                                                              \
        return copy(                                                                               \
            &(struct dev_library_call){__func__, stream, __builtin_return_address(0), false},      \
            n > 0, n, bytes, x, incx, device, incy, true);                                         \
    }                                                                                              \
    cublasStatus_t cublasGetVector##Async(int n, int bytes, const void *device, int incx, void *y, \
                                          int incy __VA_ARGS__)                                    \
    {                                                                                              \
        return copy(                                                                               \
            &(struct dev_library_call){__func__, stream, __builtin_return_address(0), false},      \
            n > 0, n, bytes, device, incx, y, incy, false);                                        \
    }                                                                                              \
    cublasStatus_t cublasSetMatrix##Async(int rows, int columns, int bytes, const void *a,         \
                                          int lda, void *device, int ldb __VA_ARGS__)              \
    {                                                                                              \
        return copy(                                                                               \
            &(struct dev_library_call){__func__, stream, __builtin_return_address(0), false},      \
            rows, columns, bytes, a, lda, device, ldb, true);                                      \
    }                                                                                              \
    cublasStatus_t cublasGetMatrix##Async(int rows, int columns, int bytes, const void *device,    \
                                          int lda, void *b, int ldb __VA_ARGS__)                   \
    {                                                                                              \
        return copy(                                                                               \
            &(struct dev_library_call){__func__, stream, __builtin_return_address(0), false},      \
            rows, columns, bytes, device, lda, b, ldb, false);                                     \
    }
COPIES(, NULL)
COPIES(Async, stream, , cudaStream_t stream)
