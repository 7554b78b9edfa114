/* What cuBLAS and cuDNN on the CPU device share: a product of matrices, halves, refusals and
 * reasons. */
#ifndef HPC_DEVICE_GEMM_H
#define HPC_DEVICE_GEMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* A library call wrote these bytes: the checker is told, where it is linked in. */
void dev_wrote(const void *p, size_t bytes);
/* A library call begins to use the device's memory, or is done with it. */
void dev_library_works(bool on);

#endif
