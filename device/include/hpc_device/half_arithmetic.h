/* cuda_fp16.h: arithmetic, comparisons and functions, of one half and of pairs. */
#ifndef HPC_DEVICE_HALF_ARITHMETIC_H
#define HPC_DEVICE_HALF_ARITHMETIC_H

/* float has over twice the bits of half and two more: a sum, product or quotient of halves that is
 * rounded to float first is rounded right. */
#define HPC_HALF_BINARY(name, name2, operation)                                                    \
    HPC_MATH __half name(__half a, __half b)                                                       \
    {                                                                                              \
        return __half((float)a operation(float) b);                                                \
    }                                                                                              \
    HPC_MATH __half name##_rn(__half a, __half b)                                                  \
    {                                                                                              \
        return name(a, b);                                                                         \
    }                                                                                              \
    HPC_MATH __half name##_sat(__half a, __half b)                                                 \
    {                                                                                              \
        return __half(saturate((float)name(a, b)));                                                \
    }                                                                                              \
    HPC_MATH __half2 name2(__half2 a, __half2 b)                                                   \
    {                                                                                              \
        return __half2(name(a.x, b.x), name(a.y, b.y));                                            \
    }                                                                                              \
    HPC_MATH __half2 name2##_rn(__half2 a, __half2 b)                                              \
    {                                                                                              \
        return name2(a, b);                                                                        \
    }                                                                                              \
    HPC_MATH __half2 name2##_sat(__half2 a, __half2 b)                                             \
    {                                                                                              \
        return __half2(name##_sat(a.x, b.x), name##_sat(a.y, b.y));                                \
    }                                                                                              \
    HPC_MATH __half operator operation(const __half &a, const __half &b)                           \
    {                                                                                              \
        return name(a, b);                                                                         \
    }                                                                                              \
    HPC_MATH __half2 operator operation(const __half2 &a, const __half2 &b)                        \
    {                                                                                              \
        return name2(a, b);                                                                        \
    }                                                                                              \
    HPC_MATH __half &operator operation##=(__half &a, const __half &b)                             \
    {                                                                                              \
        return a = name(a, b);                                                                     \
    }                                                                                              \
    HPC_MATH __half2 &operator operation##=(__half2 &a, const __half2 &b)                          \
    {                                                                                              \
        return a = name2(a, b);                                                                    \
    }
HPC_HALF_BINARY(__hadd, __hadd2, +)
HPC_HALF_BINARY(__hsub, __hsub2, -)
HPC_HALF_BINARY(__hmul, __hmul2, *)
HPC_HALF_BINARY(__hdiv, __h2div, /)
#undef HPC_HALF_BINARY

HPC_MATH __half __hfma(__half a, __half b, __half c)
{
    return hpc_dev::half_of(hpc_dev::half_fma((float)a, (float)b, (float)c));
}
HPC_MATH __half __hfma_sat(__half a, __half b, __half c)
{
    return __half(saturate((float)__hfma(a, b, c)));
}
HPC_MATH __half __hfma_relu(__half a, __half b, __half c)
{
    return __half(fmaxf((float)__hfma(a, b, c), 0.0f));
}
HPC_MATH __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
HPC_MATH __half2 __hfma2_sat(__half2 a, __half2 b, __half2 c)
{
    return __half2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
HPC_MATH __half2 h2div(__half2 a, __half2 b)
{
    return __h2div(a, b);
}
/* a b + c of complex numbers, the real part in x. */
HPC_MATH __half2 __hcmadd(__half2 a, __half2 b, __half2 c)
{
    return __half2(__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)),
                   __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

/* Comparisons: of halves; of pairs as 1 or 0 in each (name2), and as one truth (both). */
#define HPC_HALF_COMPARE(name, operation)                                                          \
    HPC_MATH bool __h##name(__half a, __half b)                                                    \
    {                                                                                              \
        return (float)a operation(float) b;                                                        \
    }                                                                                              \
    HPC_MATH __half2 __h##name##2(__half2 a, __half2 b)                                            \
    {                                                                                              \
        return __half2(__half(__h##name(a.x, b.x) ? 1.0f : 0.0f),                                  \
                       __half(__h##name(a.y, b.y) ? 1.0f : 0.0f));                                 \
    }                                                                                              \
    HPC_MATH bool __hb##name##2(__half2 a, __half2 b)                                              \
    {                                                                                              \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                         \
    }                                                                                              \
    HPC_MATH bool operator operation(const __half &a, const __half &b)                             \
    {                                                                                              \
        return __h##name(a, b);                                                                    \
    }                                                                                              \
    HPC_MATH bool operator operation(const __half2 &a, const __half2 &b)                           \
    {                                                                                              \
        return __hb##name##2(a, b);                                                                \
    }
HPC_HALF_COMPARE(eq, ==)
HPC_HALF_COMPARE(ne, !=)
HPC_HALF_COMPARE(lt, <)
HPC_HALF_COMPARE(le, <=)
HPC_HALF_COMPARE(gt, >)
HPC_HALF_COMPARE(ge, >=)
#undef HPC_HALF_COMPARE

/* Functions of one half, and the same of a pair. */
#define HPC_HALF_UNARY(name, name2, expression)                                                    \
    HPC_MATH __half name(__half h)                                                                 \
    {                                                                                              \
        float x = (float)h;                                                                        \
        return __half(expression);                                                                 \
    }                                                                                              \
    HPC_MATH __half2 name2(__half2 h)                                                              \
    {                                                                                              \
        return __half2(name(h.x), name(h.y));                                                      \
    }
HPC_HALF_UNARY(hsqrt, h2sqrt, sqrtf(x))
HPC_HALF_UNARY(hrsqrt, h2rsqrt, 1.0f / sqrtf(x))
HPC_HALF_UNARY(hrcp, h2rcp, 1.0f / x)
HPC_HALF_UNARY(hexp, h2exp, expf(x))
HPC_HALF_UNARY(hexp2, h2exp2, exp2f(x))
HPC_HALF_UNARY(hexp10, h2exp10, exp10f(x))
HPC_HALF_UNARY(hlog, h2log, logf(x))
HPC_HALF_UNARY(hlog2, h2log2, log2f(x))
HPC_HALF_UNARY(hlog10, h2log10, log10f(x))
HPC_HALF_UNARY(hsin, h2sin, sinf(x))
HPC_HALF_UNARY(hcos, h2cos, cosf(x))
HPC_HALF_UNARY(htanh, h2tanh, tanhf(x))
HPC_HALF_UNARY(hceil, h2ceil, ceilf(x))
HPC_HALF_UNARY(hfloor, h2floor, floorf(x))
HPC_HALF_UNARY(htrunc, h2trunc, truncf(x))
HPC_HALF_UNARY(hrint, h2rint, rintf(x))
#undef HPC_HALF_UNARY
HPC_MATH __half __hneg(__half h)
{
    return hpc_dev::half_of(h.__x ^ 0x8000);
}
HPC_MATH __half __habs(__half h)
{
    return hpc_dev::half_of(h.__x & 0x7fff);
}
HPC_MATH __half2 __hneg2(__half2 h)
{
    return __half2(__hneg(h.x), __hneg(h.y));
}
HPC_MATH __half2 __habs2(__half2 h)
{
    return __half2(__habs(h.x), __habs(h.y));
}
HPC_MATH __half operator-(const __half &h)
{
    return __hneg(h);
}
HPC_MATH __half operator+(const __half &h)
{
    return h;
}
HPC_MATH __half2 operator-(const __half2 &h)
{
    return __hneg2(h);
}

HPC_MATH bool __hisnan(__half h)
{
    return (h.__x & 0x7fff) > 0x7c00;
}
HPC_MATH int __hisinf(__half h)
{
    return (h.__x & 0x7fff) != 0x7c00 ? 0 : h.__x & 0x8000 ? -1 : 1;
}

/* The other one where one is NaN. */
HPC_MATH __half __hmax(__half a, __half b)
{
    return __half(fmaxf((float)a, (float)b));
}
HPC_MATH __half __hmin(__half a, __half b)
{
    return __half(fminf((float)a, (float)b));
}
HPC_MATH __half2 __hmax2(__half2 a, __half2 b)
{
    return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
HPC_MATH __half2 __hmin2(__half2 a, __half2 b)
{
    return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}

/* Their attributes: atomics.h. */
static __half atomicAdd(__half *p, __half v)
{
    HPC_ATOMIC_SEEN(p, DEV_BLIND);
    return hpc_dev::atomic_update(p, [v](__half old) { return __hadd(old, v); });
}
static __half2 atomicAdd(__half2 *p, __half2 v)
{
    HPC_ATOMIC_SEEN(p, DEV_BLIND);
    return hpc_dev::atomic_update(p, [v](__half2 old) { return __hadd2(old, v); });
}

#endif
