/* What cuBLAS and cuDNN on the CPU device share: a product of matrices, halves, refusals and
 * reasons. */
#ifndef HPC_DEVICE_GEMM_H
#define HPC_DEVICE_GEMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/runtime/device.h"

struct cublasContext;

/* C = alpha op(A) op(B) + beta C in fp32, stored by columns; op(A) is m x k, op(B) k x n. With
 * beta = 0, C is not read. By OpenBLAS where libopenblas.so.0 is found, else by loops of our own,
 * which are some fifty times slower and as right. Cost: 2mnk FLOP. */
void dev_sgemm(bool transpose_a, bool transpose_b, int m, int n, int k, float alpha, const float *a,
               int lda, const float *b, int ldb, float beta, float *c, int ldc);

void dev_sgemm_plain(bool transpose_a, bool transpose_b, int m, int n, int k, float alpha,
                     const float *a, int lda, const float *b, int ldb, float beta, float *c,
                     int ldc);

/* IEEE halves, rounded to nearest even; infinities and NaN kept. */
float dev_from_half(uint16_t half);
uint16_t dev_to_half(float value);

/* One line on stderr, "hpclab: CALL is not supported on the CPU device: WHAT". */
void dev_refuse(const char *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One line on stderr, "hpclab: WHAT": why a call that follows with its status failed, in numbers.
 */
void dev_says(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Arguments of a call: n elements that lie `step` apart, columns that lie `ld` elements apart, and
 * a number of the host's, or of the device's where the handle says that. */
struct dev_argument dev_vector(const char *name, const void *p, int n, int step, size_t size,
                               bool write);
struct dev_argument dev_matrix(const char *name, const void *p, int rows, int columns, int ld,
                               size_t size, bool write);
struct dev_argument dev_scalar(const char *name, const void *p, size_t size, bool write);

/* Returns from a function of cuBLAS where a GPU could not do what it is asked, else begins it. */
#define DEV_CUBLAS_BEGINS(handle, ...)                                                             \
    do {                                                                                           \
        const struct dev_library_call by_ =                                                        \
            dev_cublas_call(handle, __func__, __builtin_return_address(0));                        \
        const struct dev_argument all_[] = {__VA_ARGS__};                                          \
        if (!dev_library_takes(&by_, all_, sizeof all_ / sizeof *all_))                            \
            return CUBLAS_STATUS_EXECUTION_FAILED;                                                 \
        dev_library_works(true);                                                                   \
    } while (0)

/* A call by a handle of cuBLAS's, from a return address. */
struct dev_library_call dev_cublas_call(const struct cublasContext *handle, const char *name,
                                        const void *from);

/* A library call wrote these bytes: the checker is told, where it is linked in. */
void dev_wrote(const void *p, size_t bytes);
/* A library call begins to use the device's memory, or is done with it. */
void dev_library_works(bool on);

#endif
