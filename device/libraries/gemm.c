#include "device/libraries/gemm.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* cblas_sgemm of any CBLAS, and its numbers. */
enum { BY_COLUMNS = 102, AS_IT_IS = 111, TRANSPOSED = 112 };
typedef void cblas_sgemm_function(int order, int transpose_a, int transpose_b, int m, int n, int k,
                                  float alpha, const float *a, int lda, const float *b, int ldb,
                                  float beta, float *c, int ldc);

static cblas_sgemm_function *cblas_sgemm;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_openblas(void)
{
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library)
        *(void **)&cblas_sgemm = dlsym(library, "cblas_sgemm");
}

static float element(const float *matrix, bool transpose, int ld, int row, int column)
{
    return transpose ? matrix[(size_t)row * ld + column] : matrix[(size_t)column * ld + row];
}

/* An element of C after another, as each is defined: slow, for releases hold it, and labs ask for a
 * fast product of matrices. */
void dev_sgemm_plain(bool transpose_a, bool transpose_b, int m, int n, int k, float alpha,
                     const float *a, int lda, const float *b, int ldb, float beta, float *c,
                     int ldc)
{
#pragma omp parallel for schedule(static)
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            float *out = c + (size_t)j * ldc + i, sum = 0;
            for (int l = 0; l < k; l++)
                sum += element(a, transpose_a, lda, i, l) * element(b, transpose_b, ldb, l, j);
            *out = alpha * sum + (beta == 0 ? 0 : beta * *out);
        }
}

void dev_sgemm(bool transpose_a, bool transpose_b, int m, int n, int k, float alpha, const float *a,
               int lda, const float *b, int ldb, float beta, float *c, int ldc)
{
    pthread_once(&once, find_openblas);
    if (m == 0 || n == 0)
        return;
    if (cblas_sgemm && k > 0)
        cblas_sgemm(BY_COLUMNS, transpose_a ? TRANSPOSED : AS_IT_IS,
                    transpose_b ? TRANSPOSED : AS_IT_IS, m, n, k, alpha, a, lda, b, ldb, beta, c,
                    ldc);
    else
        dev_sgemm_plain(transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

float dev_from_half(uint16_t half)
{
    int exponent = half >> 10 & 31, fraction = half & 1023;
    float value = exponent == 31 ? (fraction ? NAN : INFINITY)
                  : exponent     ? ldexpf((float)(1024 + fraction), exponent - 25)
                                 : ldexpf((float)fraction, -24);
    return half & 0x8000 ? -value : value;
}

uint16_t dev_to_half(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    float size = fabsf(value);
    if (!(size == size))
        return sign | 0x7e00;
    if (size >= 65520) /* halfway between the largest half and the next power of two */
        return sign | 0x7c00;
    if (size == 0)
        return sign;
    int exponent;
    frexpf(size, &exponent);                              /* size = f * 2^exponent, f in [0.5, 1) */
    int step = exponent - 11 < -24 ? -24 : exponent - 11; /* the last bit's place */
    float steps = rintf(ldexpf(size, -step));             /* to nearest even; at most 2048 */
    if (step == -24)
        return sign | (uint16_t)steps; /* 1024 is the first normal half's pattern, too */
    return sign | (uint16_t)(((step + 24) << 10) + (int)steps);
}

void dev_refuse(const char *call, const char *format, ...)
{
    char what[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    fprintf(stderr, "hpclab: %s is not supported on the CPU device: %s\n", call, what);
}

void dev_says(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "hpclab: ");
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void dev_wrote(const void *p, size_t bytes)
{
#ifdef DEV_CHECK
    check_written(p, bytes);
#else
    (void)p;
    (void)bytes;
#endif
}

void dev_library_works(bool on)
{
#ifdef DEV_CHECK
    if (on)
        dev_wall_lift();
    else
        dev_wall_drop();
#else
    (void)on;
#endif
}

struct dev_argument dev_vector(const char *name, const void *p, int n, int step, size_t size,
                               bool write)
{
    const size_t apart = (size_t)(step < 0 ? -(long long)step : step) * size;
    return (struct dev_argument){
        name,
        {(const char *)p, apart, n > 0 ? size : 0, (size_t)(n > 0 ? n : 0), write},
        false,
        false};
}

struct dev_argument dev_matrix(const char *name, const void *p, int rows, int columns, int ld,
                               size_t size, bool write)
{
    return (struct dev_argument){
        name,
        {(const char *)p, (size_t)ld * size, (size_t)rows * size, (size_t)columns, write},
        false,
        false};
}

struct dev_argument dev_scalar(const char *name, const void *p, size_t size, bool write)
{
    return (struct dev_argument){name, {(const char *)p, size, size, 1, write}, true, false};
}
