/* Complex numbers as pairs, in C and in C++. */
#ifndef HPC_DEVICE_CUCOMPLEX_H
#define HPC_DEVICE_CUCOMPLEX_H

#include <math.h>

#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

static inline float cuCrealf(cuFloatComplex x)
{
    return x.x;
}
static inline float cuCimagf(cuFloatComplex x)
{
    return x.y;
}
static inline cuFloatComplex make_cuFloatComplex(float real, float imaginary)
{
    cuFloatComplex x;
    x.x = real;
    x.y = imaginary;
    return x;
}
static inline cuFloatComplex cuConjf(cuFloatComplex x)
{
    return make_cuFloatComplex(x.x, -x.y);
}
static inline cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b)
{
    return make_cuFloatComplex(a.x + b.x, a.y + b.y);
}
static inline cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b)
{
    return make_cuFloatComplex(a.x - b.x, a.y - b.y);
}
static inline cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b)
{
    return make_cuFloatComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
/* Both divided by the size of b first, so that no square is too large. */
static inline cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b)
{
    const float scale = 1 / (fabsf(b.x) + fabsf(b.y));
    const float ar = a.x * scale, ai = a.y * scale, br = b.x * scale, bi = b.y * scale;
    const float square = 1 / (br * br + bi * bi);
    return make_cuFloatComplex((ar * br + ai * bi) * square, (ai * br - ar * bi) * square);
}
static inline float cuCabsf(cuFloatComplex x)
{
    return hypotf(x.x, x.y);
}
static inline cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c)
{
    return cuCaddf(cuCmulf(a, b), c);
}

static inline double cuCreal(cuDoubleComplex x)
{
    return x.x;
}
static inline double cuCimag(cuDoubleComplex x)
{
    return x.y;
}
static inline cuDoubleComplex make_cuDoubleComplex(double real, double imaginary)
{
    cuDoubleComplex x;
    x.x = real;
    x.y = imaginary;
    return x;
}
static inline cuDoubleComplex cuConj(cuDoubleComplex x)
{
    return make_cuDoubleComplex(x.x, -x.y);
}
static inline cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b)
{
    return make_cuDoubleComplex(a.x + b.x, a.y + b.y);
}
static inline cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b)
{
    return make_cuDoubleComplex(a.x - b.x, a.y - b.y);
}
static inline cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b)
{
    return make_cuDoubleComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
/* Both divided by the size of b first, so that no square is too large. */
static inline cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b)
{
    const double scale = 1 / (fabs(b.x) + fabs(b.y));
    const double ar = a.x * scale, ai = a.y * scale, br = b.x * scale, bi = b.y * scale;
    const double square = 1 / (br * br + bi * bi);
    return make_cuDoubleComplex((ar * br + ai * bi) * square, (ai * br - ar * bi) * square);
}
static inline double cuCabs(cuDoubleComplex x)
{
    return hypot(x.x, x.y);
}
static inline cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c)
{
    return cuCadd(cuCmul(a, b), c);
}

static inline cuComplex make_cuComplex(float real, float imaginary)
{
    return make_cuFloatComplex(real, imaginary);
}
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x)
{
    return make_cuFloatComplex((float)x.x, (float)x.y);
}
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x)
{
    return make_cuDoubleComplex(x.x, x.y);
}

#endif
