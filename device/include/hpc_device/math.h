/* Device mathematics that a C library does not have: CUDA's names, in its precision or better. */
#ifndef HPC_DEVICE_MATH_H
#define HPC_DEVICE_MATH_H

#define HPC_MATH static inline __attribute__((always_inline))

/* min and max of every pair of types; mixed ones as CUDA has them. */
#define HPC_MIN_MAX(result, a_type, b_type)                                                        \
    HPC_MATH constexpr result min(a_type a, b_type b)                                              \
    {                                                                                              \
        return (result)a < (result)b ? (result)a : (result)b;                                      \
    }                                                                                              \
    HPC_MATH constexpr result max(a_type a, b_type b)                                              \
    {                                                                                              \
        return (result)a > (result)b ? (result)a : (result)b;                                      \
    }
HPC_MIN_MAX(int, int, int)
HPC_MIN_MAX(unsigned, unsigned, unsigned)
HPC_MIN_MAX(unsigned, int, unsigned)
HPC_MIN_MAX(unsigned, unsigned, int)
HPC_MIN_MAX(long, long, long)
HPC_MIN_MAX(unsigned long, unsigned long, unsigned long)
HPC_MIN_MAX(unsigned long, long, unsigned long)
HPC_MIN_MAX(unsigned long, unsigned long, long)
HPC_MIN_MAX(long long, long long, long long)
HPC_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
HPC_MIN_MAX(unsigned long long, long long, unsigned long long)
HPC_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef HPC_MIN_MAX
#define HPC_MIN_MAX(result, a_type, b_type, least, most)                                           \
    HPC_MATH result min(a_type a, b_type b)                                                        \
    {                                                                                              \
        return least((result)a, (result)b);                                                        \
    }                                                                                              \
    HPC_MATH result max(a_type a, b_type b)                                                        \
    {                                                                                              \
        return most((result)a, (result)b);                                                         \
    }
HPC_MIN_MAX(float, float, float, fminf, fmaxf)
HPC_MIN_MAX(double, double, double, fmin, fmax)
HPC_MIN_MAX(double, float, double, fmin, fmax)
HPC_MIN_MAX(double, double, float, fmin, fmax)
#undef HPC_MIN_MAX

/* umin(), umax() and their kin. */
#define HPC_NAMED(prefix, type)                                                                    \
    HPC_MATH type prefix##min(type a, type b)                                                      \
    {                                                                                              \
        return min(a, b);                                                                          \
    }                                                                                              \
    HPC_MATH type prefix##max(type a, type b)                                                      \
    {                                                                                              \
        return max(a, b);                                                                          \
    }
HPC_NAMED(u, unsigned)
HPC_NAMED(ll, long long)
HPC_NAMED(ull, unsigned long long)
#undef HPC_NAMED

/* What the C library's headers declare too: newer ones have C23's rsqrt, sinpi and cospi. */
#define HPC_DECLARED extern "C" inline __attribute__((always_inline))

/* Functions of one float and of one double. */
#define HPC_UNARY(name, expression_f, expression)                                                  \
    HPC_DECLARED float name##f(float x) noexcept                                                   \
    {                                                                                              \
        return expression_f;                                                                       \
    }                                                                                              \
    HPC_DECLARED double name(double x) noexcept                                                    \
    {                                                                                              \
        return expression;                                                                         \
    }
HPC_UNARY(rsqrt, 1.0f / sqrtf(x), 1.0 / sqrt(x))
HPC_UNARY(rcbrt, 1.0f / cbrtf(x), 1.0 / cbrt(x))
HPC_UNARY(sinpi, (float)sin(M_PI *fmod((double)x, 2.0)), sin(M_PI *fmod(x, 2.0)))
HPC_UNARY(cospi, (float)cos(M_PI *fmod((double)x, 2.0)), cos(M_PI *fmod(x, 2.0)))
HPC_UNARY(normcdf, (float)(0.5 * erfc(-(double)x * M_SQRT1_2)), 0.5 * erfc(-x * M_SQRT1_2))
HPC_UNARY(erfcx, (float)(exp((double)x *x) * erfc((double)x)), exp(x *x) * erfc(x))
#undef HPC_UNARY
HPC_MATH float rsqrt(float x)
{
    return rsqrtf(x);
}
HPC_MATH float rhypotf(float x, float y)
{
    return 1.0f / hypotf(x, y);
}
HPC_MATH double rhypot(double x, double y)
{
    return 1.0 / hypot(x, y);
}
HPC_MATH float norm3df(float a, float b, float c)
{
    return (float)sqrt((double)a * a + (double)b * b + (double)c * c);
}
HPC_MATH double norm3d(double a, double b, double c)
{
    return sqrt(a * a + b * b + c * c);
}
HPC_MATH float rnorm3df(float a, float b, float c)
{
    return 1.0f / norm3df(a, b, c);
}
HPC_MATH float norm4df(float a, float b, float c, float d)
{
    return (float)sqrt((double)a * a + (double)b * b + (double)c * c + (double)d * d);
}
HPC_MATH double rnorm3d(double a, double b, double c)
{
    return 1 / norm3d(a, b, c);
}
HPC_MATH double norm4d(double a, double b, double c, double d)
{
    return sqrt(a * a + b * b + c * c + d * d);
}
HPC_MATH double rnorm4d(double a, double b, double c, double d)
{
    return 1 / norm4d(a, b, c, d);
}
HPC_MATH float rnorm4df(float a, float b, float c, float d)
{
    return 1.0f / norm4df(a, b, c, d);
}
/* Of n numbers; templates, as programs have functions of these names. */
template <class T> HPC_MATH double hpc_norm(int n, const T *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)x[i] * (double)x[i];
    return sqrt(sum);
}
template <int = 0> HPC_MATH double norm(int n, const double *x)
{
    return hpc_norm(n, x);
}
template <int = 0> HPC_MATH double rnorm(int n, const double *x)
{
    return 1 / hpc_norm(n, x);
}
template <int = 0> HPC_MATH float normf(int n, const float *x)
{
    return (float)hpc_norm(n, x);
}
template <int = 0> HPC_MATH float rnormf(int n, const float *x)
{
    return (float)(1 / hpc_norm(n, x));
}
HPC_MATH void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}
HPC_MATH void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}
HPC_MATH float fdividef(float a, float b)
{
    return a / b;
}
HPC_MATH float saturate(float x)
{
    return fminf(fmaxf(x, 0.0f), 1.0f); /* NaN becomes 0 */
}

/* Intrinsics: the plain functions, which are at least as exact. The C library's headers declare the
 * first of these names, as internal ones that it does not have. */
#define HPC_INTRINSIC(name, plain)                                                                 \
    HPC_DECLARED float name(float x) noexcept                                                      \
    {                                                                                              \
        return plain(x);                                                                           \
    }
HPC_INTRINSIC(__sinf, sinf)
HPC_INTRINSIC(__cosf, cosf)
HPC_INTRINSIC(__tanf, tanf)
HPC_INTRINSIC(__expf, expf)
HPC_INTRINSIC(__exp10f, exp10f)
HPC_INTRINSIC(__logf, logf)
HPC_INTRINSIC(__log2f, log2f)
HPC_INTRINSIC(__log10f, log10f)
#undef HPC_INTRINSIC
HPC_DECLARED float __powf(float x, float y) noexcept
{
    return powf(x, y);
}
HPC_DECLARED void __sincosf(float x, float *s, float *c) noexcept
{
    sincosf(x, s, c);
}
#undef HPC_DECLARED
HPC_MATH float __saturatef(float x)
{
    return saturate(x);
}
HPC_MATH float __frsqrt_rn(float x)
{
    return rsqrtf(x);
}
HPC_MATH float __fsqrt_rn(float x)
{
    return sqrtf(x);
}
HPC_MATH float __frcp_rn(float x)
{
    return 1.0f / x;
}
HPC_MATH float __fdividef(float a, float b)
{
    return a / b;
}

/* Rounded to nearest, and never contracted into a multiply-add: the value goes through `volatile`
 * arithmetic's cheaper kin, a barrier for the optimiser. */
#define HPC_ROUNDED(name, type, expression)                                                        \
    HPC_MATH type name(type a, type b)                                                             \
    {                                                                                              \
        type r = expression;                                                                       \
        __asm__("" : "+g"(r));                                                                     \
        return r;                                                                                  \
    }
HPC_ROUNDED(__fadd_rn, float, a + b)
HPC_ROUNDED(__fsub_rn, float, a - b)
HPC_ROUNDED(__fmul_rn, float, a *b)
HPC_ROUNDED(__fdiv_rn, float, a / b)
HPC_ROUNDED(__dadd_rn, double, a + b)
HPC_ROUNDED(__dsub_rn, double, a - b)
HPC_ROUNDED(__dmul_rn, double, a *b)
HPC_ROUNDED(__ddiv_rn, double, a / b)
#undef HPC_ROUNDED
HPC_MATH float __fmaf_rn(float a, float b, float c)
{
    return fmaf(a, b, c);
}
HPC_MATH double __fma_rn(double a, double b, double c)
{
    return fma(a, b, c);
}
HPC_MATH double __dsqrt_rn(double x)
{
    return sqrt(x);
}
HPC_MATH double __drcp_rn(double x)
{
    return 1.0 / x;
}

/* The x > 0 with erfc(x) = y, 0 < y <= 1: the normal distribution's tail by formula 26.2.22 of
 * Abramowitz and Stegun, made exact by Halley's steps; near 1 on erf(x) = `rest` = 1 - y. */
static inline double hpc_erfc_inverse(double y, double rest)
{
    const double t = sqrt(-2 * log(y / 2));
    double x = M_SQRT1_2 * (t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t)));
    for (int step = 0; step < 4; step++) {
        const double wrong = rest < 0.5 ? rest - erf(x) : erfc(x) - y;
        const double slope = M_2_SQRTPI * exp(-x * x);
        if (slope > 0)
            x += wrong / (slope - x * wrong);
    }
    return x;
}
HPC_MATH double erfcinv(double y)
{
    if (!(y > 0 && y < 2))
        return y == 0 ? HUGE_VAL : y == 2 ? -HUGE_VAL : NAN;
    return y <= 1 ? hpc_erfc_inverse(y, 1 - y) : -hpc_erfc_inverse(2 - y, y - 1);
}
HPC_MATH double erfinv(double x)
{
    if (!(x > -1 && x < 1))
        return x == 1 ? HUGE_VAL : x == -1 ? -HUGE_VAL : NAN;
    return x == 0 ? x : copysign(hpc_erfc_inverse(1 - fabs(x), fabs(x)), x);
}
HPC_MATH double normcdfinv(double p)
{
    return -M_SQRT2 * erfcinv(2 * p);
}
HPC_MATH float erfcinvf(float y)
{
    return (float)erfcinv(y);
}
HPC_MATH float erfinvf(float x)
{
    return (float)erfinv(x);
}
HPC_MATH float normcdfinvf(float p)
{
    return (float)normcdfinv(p);
}

#include "convert.h"
#include "integer.h"
#include "packed.h"

#endif
