/* cuBLAS on the CPU device: level 1, in fp32 and fp64. Sums are made in double, in order. */
#include "device/include/cublas_v2.h"

#include <math.h>

#include "device/libraries/gemm.h"

/* Element i of n, of which a negative step begins with the last in memory. */
static size_t place(int i, int n, int step)
{
    return (size_t)(step < 0 ? (ptrdiff_t)(i - n + 1) * step : (ptrdiff_t)i * step);
}

/* Of two vectors that a call writes. */
static void wrote(const void *x, int n, int step, size_t bytes)
{
    for (int i = 0; i < n; i++)
        dev_wrote((const char *)x + place(i, n, step) * bytes, bytes);
}

#define NEEDS(handle, ...)                                                                         \
    do {                                                                                           \
        if (!(handle))                                                                             \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        if (!(__VA_ARGS__))                                                                        \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
    } while (0)

/* The first of the largest, or smallest, magnitudes, counted from 1; 0 where there is none. */
#define EXTREME(name, type, sign)                                                                  \
    cublasStatus_t name(cublasHandle_t handle, int n, const type *x, int incx, int *result)        \
    {                                                                                              \
        NEEDS(handle, result);                                                                     \
        DEV_CUBLAS_BEGINS(handle, dev_vector("x", x, incx > 0 ? n : 0, incx, sizeof *x, false),    \
                          dev_scalar("the result", result, sizeof *result, true));                 \
        *result = n > 0 && incx > 0;                                                               \
        for (int i = 1; i < n && incx > 0; i++)                                                    \
            if (fabs((double)x[place(i, n, incx)])                                                 \
                    sign fabs((double)x[place(*result - 1, n, incx)]))                             \
                *result = i + 1;                                                                   \
        dev_wrote(result, sizeof *result);                                                         \
        dev_library_works(false);                                                                  \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }

/* A number of one vector, that negative steps have none of. */
#define NUMBER(name, type, each, last)                                                             \
    cublasStatus_t name(cublasHandle_t handle, int n, const type *x, int incx, type *result)       \
    {                                                                                              \
        double sum = 0;                                                                            \
        NEEDS(handle, result);                                                                     \
        DEV_CUBLAS_BEGINS(handle, dev_vector("x", x, incx > 0 ? n : 0, incx, sizeof *x, false),    \
                          dev_scalar("the result", result, sizeof *result, true));                 \
        for (int i = 0; i < n && incx > 0; i++) {                                                  \
            const double v = (double)x[place(i, n, incx)];                                         \
            sum += each;                                                                           \
        }                                                                                          \
        *result = (type)(last);                                                                    \
        dev_wrote(result, sizeof *result);                                                         \
        dev_library_works(false);                                                                  \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }

#define VECTORS(type, S, IS)                                                                       \
    EXTREME(cublasI##IS##amax, type, >)                                                            \
    EXTREME(cublasI##IS##amin, type, <)                                                            \
    NUMBER(cublas##S##asum, type, fabs(v), sum)                                                    \
    NUMBER(cublas##S##nrm2, type, v *v, sqrt(sum))                                                 \
    cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const type *x, int incx,           \
                                  const type *y, int incy, type *result)                           \
    {                                                                                              \
        double sum = 0;                                                                            \
        NEEDS(handle, result);                                                                     \
        DEV_CUBLAS_BEGINS(handle, dev_vector("x", x, n, incx, sizeof *x, false),                   \
                          dev_vector("y", y, n, incy, sizeof *y, false),                           \
                          dev_scalar("the result", result, sizeof *result, true));                 \
        for (int i = 0; i < n; i++)                                                                \
            sum += (double)x[place(i, n, incx)] * (double)y[place(i, n, incy)];                    \
        *result = (type)sum;                                                                       \
        dev_wrote(result, sizeof *result);                                                         \
        dev_library_works(false);                                                                  \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const type *alpha, const type *x, \
                                   int incx, type *y, int incy)                                    \
    {                                                                                              \
        NEEDS(handle, alpha);                                                                      \
        DEV_CUBLAS_BEGINS(handle, dev_scalar("alpha", alpha, sizeof *alpha, false),                \
                          dev_vector("x", x, n, incx, sizeof *x, false),                           \
                          dev_vector("y", y, n, incy, sizeof *y, true));                           \
        for (int i = 0; i < n; i++)                                                                \
            y[place(i, n, incy)] += *alpha * x[place(i, n, incx)];                                 \
        wrote(y, n, incy, sizeof *y);                                                              \
        dev_library_works(false);                                                                  \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const type *alpha, type *x,       \
                                   int incx)                                                       \
    {                                                                                              \
        NEEDS(handle, alpha);                                                                      \
        DEV_CUBLAS_BEGINS(handle, dev_scalar("alpha", alpha, sizeof *alpha, false),                \
                          dev_vector("x", x, incx > 0 ? n : 0, incx, sizeof *x, true));            \
        for (int i = 0; i < n && incx > 0; i++)                                                    \
            x[place(i, n, incx)] *= *alpha;                                                        \
        dev_library_works(false);                                                                  \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const type *x, int incx, type *y, \
                                   int incy)                                                       \
    {                                                                                              \
        NEEDS(handle, true);                                                                       \
        DEV_CUBLAS_BEGINS(handle, dev_vector("x", x, n, incx, sizeof *x, false),                   \
                          dev_vector("y", y, n, incy, sizeof *y, true));                           \
        for (int i = 0; i < n; i++)                                                                \
            y[place(i, n, incy)] = x[place(i, n, incx)];                                           \
        wrote(y, n, incy, sizeof *y);                                                              \
        dev_library_works(false);                                                                  \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, type *x, int incx, type *y,       \
                                   int incy)                                                       \
    {                                                                                              \
        NEEDS(handle, true);                                                                       \
        DEV_CUBLAS_BEGINS(handle, dev_vector("x", x, n, incx, sizeof *x, true),                    \
                          dev_vector("y", y, n, incy, sizeof *y, true));                           \
        for (int i = 0; i < n; i++) {                                                              \
            type *a = &x[place(i, n, incx)], *b = &y[place(i, n, incy)], was = *a;                 \
            *a = *b;                                                                               \
            *b = was;                                                                              \
        }                                                                                          \
        wrote(x, n, incx, sizeof *x);                                                              \
        wrote(y, n, incy, sizeof *y);                                                              \
        dev_library_works(false);                                                                  \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }

VECTORS(float, S, s)
VECTORS(double, D, d)
