/* Vectors of LANES numbers, exp, and the activations of mlp.h on them. Included by a BODY of
 * levels.h, once for each level and type; LANES is the includer's. By compiler vectors: the same
 * code is AVX-512, AVX2, SSE2 or NEON, except for a table of 16 numbers held in two registers,
 * which only AVX-512 can look up at once.
 *
 * exp(x) = 2^(n/STEPS) * exp(r), |r| <= ln2 / (2 STEPS). The two halves of n come out of the bits
 * of x * STEPS/ln2 + 1.5 * 2^52 without a conversion: the low ones index the table (STEPS = 16) or
 * are none (STEPS = 1), the high ones are added to the exponent. Then exp(r) = 1 + r + r^2 P(r),
 * with P of degree 4 (table; float) or 9 (double, no table), minimax for the error relative to
 * exp: 1.2e-17, 3.1e-9 and 2.7e-17. P of degree 4 is evaluated as a product of two squares, so that
 * the longest chain from x to exp(x) is seven operations: about 25 cycles. Largest error found, in
 * units of the last place: 1.7 (table, |x| < 40; 4.9 at 600), 1.4 (double, no table), 1.4 (float,
 * |x| < 20; 2.3 at 80). */

#define VEC  NAME(vector)
#define MASK NAME(mask)
typedef REAL VEC __attribute__((vector_size(LANES * sizeof(REAL))));
#if F64
typedef int64_t MASK __attribute__((vector_size(LANES * sizeof(REAL))));
#else
typedef int32_t MASK __attribute__((vector_size(LANES * sizeof(REAL))));
#endif

/* From here on, exp_plus's argument has to be within +-EXP_LIMIT. */
#if F64
#define EXP_LIMIT 600
#else
#define EXP_LIMIT 80
#endif

INLINE VEC NAME(all)(REAL x)
{
    return x - (VEC){0};
}

INLINE VEC NAME(load)(const REAL *p)
{
    VEC v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}

/* True in the lanes below n. */
INLINE MASK NAME(first_lanes)(int n)
{
    MASK lane = {0};
    for (int i = 0; i < LANES; i++)
        lane[i] = i;
    return lane < n;
}

/* mask ? a : 0 */
INLINE VEC NAME(keep)(MASK mask, VEC a)
{
    return (VEC)((MASK)a & mask);
}

INLINE VEC NAME(choose)(MASK mask, VEC a, VEC b)
{
    return (VEC)(((MASK)a & mask) | ((MASK)b & ~mask));
}

/* The larger and the smaller of two; b where one is not a number. One instruction where the vector
 * is one register. */
#define VEC_BYTES (LANES * (F64 ? 8 : 4))
INLINE VEC NAME(larger)(VEC a, VEC b)
{
#if VECTOR_BYTES == 64 && VEC_BYTES == 64
    return F64 ? (VEC)_mm512_max_pd((__m512d)a, (__m512d)b)
               : (VEC)_mm512_max_ps((__m512)a, (__m512)b);
#elif VECTOR_BYTES >= 32 && VEC_BYTES == 32
    return F64 ? (VEC)_mm256_max_pd((__m256d)a, (__m256d)b)
               : (VEC)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return NAME(choose)(a > b, a, b);
#endif
}

INLINE VEC NAME(smaller)(VEC a, VEC b)
{
#if VECTOR_BYTES == 64 && VEC_BYTES == 64
    return F64 ? (VEC)_mm512_min_pd((__m512d)a, (__m512d)b)
               : (VEC)_mm512_min_ps((__m512)a, (__m512)b);
#elif VECTOR_BYTES >= 32 && VEC_BYTES == 32
    return F64 ? (VEC)_mm256_min_pd((__m256d)a, (__m256d)b)
               : (VEC)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return NAME(choose)(a < b, a, b);
#endif
}

INLINE VEC NAME(clamp)(VEC z, REAL limit)
{
    return NAME(larger)(NAME(all)(-limit), NAME(smaller)(NAME(all)(limit), z));
}

#if F64 && VECTOR_BYTES == 64
/* Bits of 2^(j/16), less j where the shifted n adds it. */
#define STEPS    16
#define EXP_BITS 48
INLINE VEC NAME(two_to)(MASK n)
{
    const MASK low = {0x3ff0000000000000, 0x3fefb5586cf9890f, 0x3fef72b83c7d517b,
                      0x3fef387a6e756238, 0x3fef06fe0a31b715, 0x3feedea64c123422,
                      0x3feebfdad5362a27, 0x3feeab07dd485429};
    const MASK high = {0x3feea09e667f3bcd, 0x3feea11473eb0187, 0x3feeace5422aa0db,
                       0x3feec49182a3f090, 0x3feee89f995ad3ad, 0x3fef199bdd85529c,
                       0x3fef5818dcfba487, 0x3fefa4afa2a490da};
    return (VEC)((MASK)_mm512_permutex2var_epi64((__m512i)low, (__m512i)n, (__m512i)high) +
                 (n << EXP_BITS));
}
#elif F64
#define STEPS    1
#define EXP_BITS 52
#else
#define STEPS    1
#define EXP_BITS 23
#endif
#if STEPS == 1
INLINE VEC NAME(two_to)(MASK n)
{
    return (VEC)((MASK)NAME(all)(1) + (n << EXP_BITS));
}
#endif

/* scale * (exp(r) - 1 - r) */
INLINE VEC NAME(exp_tail)(VEC r, VEC scale)
{
    VEC r2 = r * r;
#if F64 && STEPS == 1
    VEC p0 = (REAL)0x1.0000000000001p-1 + (REAL)0x1.5555555555461p-3 * r;
    VEC p2 = (REAL)0x1.5555555553da1p-5 + (REAL)0x1.111111116124cp-7 * r;
    VEC p4 = (REAL)0x1.6c16c1788f5bfp-10 + (REAL)0x1.a019ffa167acbp-13 * r;
    VEC p6 = (REAL)0x1.a019b7d08264cp-16 + (REAL)0x1.71e30e2c8efffp-19 * r;
    VEC p8 = (REAL)0x1.2894100071310p-22 + (REAL)0x1.a6d4a9d8d544fp-26 * r;
    VEC r4 = r2 * r2;
    VEC low = p0 + r2 * p2, high = p4 + r2 * p6;
    return (scale * r2) * (low + r4 * (high + r4 * p8));
#elif F64
    VEC a = r * (r + (REAL)7.1203515934628548151) + (REAL)18.251636015384871489;
    VEC b = r * (r - (REAL)1.1201239934567630759) + (REAL)19.724678741745196516;
    return ((scale * (REAL)0.0013888593489510694466) * r2) * a * b;
#else
    VEC a = r * (r + (REAL)7.1621692309837762056) + (REAL)18.391083760355046537;
    VEC b = r * (r - (REAL)1.1041864110598258539) + (REAL)19.68015386752830365;
    return ((scale * (REAL)0.0013814467059326510579) * r2) * a * b;
#endif
}

/* *r = x - n ln2 / STEPS; returns it with the part that is too small for r. Where FMA keeps all of
 * n * high, one step does for r, and what is missing from `high` reaches the first-order term only;
 * else `high` has so few bits that n * high is exact. */
INLINE VEC NAME(exp_rest)(VEC x, VEC n, VEC *r)
{
#if F64 && STEPS > 1
    *r = x - n * (REAL)(0x1.62e42fefa39efp-1 / STEPS);
    return *r - n * (REAL)(2.3190468138462996e-17 / STEPS);
#elif F64
    *r = (x - n * (REAL)0x1.62e42feep-1) - n * (REAL)0x1.a39ef35793c76p-33;
    return *r;
#elif VECTOR_BYTES > 16
    *r = x - n * (REAL)0x1.62e430p-1f;
    return *r + n * (REAL)1.9046542999577679e-9f;
#else
    *r = (x - n * (REAL)0x1.62e4p-1f) - n * (REAL)0x1.7f7d1cp-20f;
    return *r;
#endif
}

/* exp(a z) + add, for a = 1, -1 or 2 and |a z| <= EXP_LIMIT. */
INLINE VEC NAME(exp_plus)(VEC z, int a, REAL add)
{
    const REAL log2e = (REAL)1.44269504088896340736, magic = F64 ? (REAL)0x1.8p52 : (REAL)0x1.8p23;
    VEC x = a == 2 ? z + z : a == -1 ? -z : z, r;
    VEC shifted = z * (a * STEPS * log2e) + magic;
    VEC exact = NAME(exp_rest)(x, shifted - magic, &r);
    VEC scale = NAME(two_to)((MASK)shifted);
    VEC base = add == 0 ? scale : scale + add;
    return (base + scale * exact) + NAME(exp_tail)(r, scale);
}
