/* Arithmetic of vectors, by the names of NVIDIA's samples: operators for each component, with a
 * number beside a vector too, and the functions that shaders have. */
#ifndef HELPER_MATH_H
#define HELPER_MATH_H

#include <cuda_runtime.h>
#include <math.h>

typedef unsigned int uint;
typedef unsigned short ushort;

#define HPC_BOTH inline __host__ __device__

/* HPC_EACH_n(f): f(x), f(y) .. of the n components, between commas; HPC_DO_n: as statements. */
#define HPC_EACH_2(f) f(x), f(y)
#define HPC_EACH_3(f) f(x), f(y), f(z)
#define HPC_EACH_4(f) f(x), f(y), f(z), f(w)
#define HPC_DO_2(f)                                                                                \
    f(x);                                                                                          \
    f(y)
#define HPC_DO_3(f)                                                                                \
    f(x);                                                                                          \
    f(y);                                                                                          \
    f(z)
#define HPC_DO_4(f)                                                                                \
    f(x);                                                                                          \
    f(y);                                                                                          \
    f(z);                                                                                          \
    f(w)

#define HPC_PLUS(c)         a.c + b.c
#define HPC_PLUS_S(c)       a.c + b
#define HPC_S_PLUS(c)       a + b.c
#define HPC_MINUS(c)        a.c - b.c
#define HPC_MINUS_S(c)      a.c - b
#define HPC_S_MINUS(c)      a - b.c
#define HPC_TIMES(c)        a.c *b.c
#define HPC_TIMES_S(c)      a.c *b
#define HPC_S_TIMES(c)      a *b.c
#define HPC_OVER(c)         a.c / b.c
#define HPC_OVER_S(c)       a.c / b
#define HPC_S_OVER(c)       a / b.c
#define HPC_NEGATED(c)      -a.c
#define HPC_TO_PLUS(c)      a.c += b.c
#define HPC_TO_PLUS_S(c)    a.c += b
#define HPC_TO_MINUS(c)     a.c -= b.c
#define HPC_TO_MINUS_S(c)   a.c -= b
#define HPC_TO_TIMES(c)     a.c *= b.c
#define HPC_TO_TIMES_S(c)   a.c *= b
#define HPC_TO_OVER(c)      a.c /= b.c
#define HPC_TO_OVER_S(c)    a.c /= b
#define HPC_LESS(c)         a.c < b.c ? a.c : b.c
#define HPC_MORE(c)         a.c > b.c ? a.c : b.c
#define HPC_CLAMP_ONE(c)    hpc_clamp_one(v.c, a.c, b.c)
#define HPC_CLAMP_ONE_S(c)  hpc_clamp_one(v.c, a, b)
#define HPC_FLOOR(c)        floorf(v.c)
#define HPC_FRACTION(c)     v.c - floorf(v.c)
#define HPC_MODULO(c)       fmodf(a.c, b.c)
#define HPC_ABSOLUTE(c)     fabsf(v.c)
#define HPC_ABSOLUTE_INT(c) v.c < 0 ? -v.c : v.c

/* V OP V, V OP S, S OP V and V OP= V, V OP= S. */
#define HPC_OPERATOR(V, S, n, op, NAME)                                                            \
    HPC_BOTH V operator op(V a, V b)                                                               \
    {                                                                                              \
        return make_##V(HPC_EACH_##n(HPC_##NAME));                                                 \
    }                                                                                              \
    HPC_BOTH V operator op(V a, S b)                                                               \
    {                                                                                              \
        return make_##V(HPC_EACH_##n(HPC_##NAME##_S));                                             \
    }                                                                                              \
    HPC_BOTH V operator op(S a, V b)                                                               \
    {                                                                                              \
        return make_##V(HPC_EACH_##n(HPC_S_##NAME));                                               \
    }                                                                                              \
    HPC_BOTH void operator op##=(V &a, V b)                                                        \
    {                                                                                              \
        HPC_DO_##n(HPC_TO_##NAME);                                                                 \
    }                                                                                              \
    HPC_BOTH void operator op##=(V &a, S b)                                                        \
    {                                                                                              \
        HPC_DO_##n(HPC_TO_##NAME##_S);                                                             \
    }

template <class T> HPC_BOTH T hpc_clamp_one(T v, T low, T high)
{
    return v < low ? low : v > high ? high : v;
}

/* clamp keeps v between a and b. */
#define HPC_VECTOR(V, S, n)                                                                        \
    HPC_OPERATOR(V, S, n, +, PLUS)                                                                 \
    HPC_OPERATOR(V, S, n, -, MINUS)                                                                \
    HPC_OPERATOR(V, S, n, *, TIMES)                                                                \
    HPC_BOTH V min(V a, V b)                                                                       \
    {                                                                                              \
        return make_##V(HPC_EACH_##n(HPC_LESS));                                                   \
    }                                                                                              \
    HPC_BOTH V max(V a, V b)                                                                       \
    {                                                                                              \
        return make_##V(HPC_EACH_##n(HPC_MORE));                                                   \
    }                                                                                              \
    HPC_BOTH V clamp(V v, V a, V b)                                                                \
    {                                                                                              \
        return make_##V(HPC_EACH_##n(HPC_CLAMP_ONE));                                              \
    }                                                                                              \
    HPC_BOTH V clamp(V v, S a, S b)                                                                \
    {                                                                                              \
        return make_##V(HPC_EACH_##n(HPC_CLAMP_ONE_S));                                            \
    }

#define HPC_NEGATIVE(V, n)                                                                         \
    HPC_BOTH V operator-(const V &a)                                                               \
    {                                                                                              \
        return make_##V(HPC_EACH_##n(HPC_NEGATED));                                                \
    }

HPC_BOTH float clamp(float v, float a, float b)
{
    return hpc_clamp_one(v, a, b);
}
HPC_BOTH int clamp(int v, int a, int b)
{
    return hpc_clamp_one(v, a, b);
}
HPC_BOTH uint clamp(uint v, uint a, uint b)
{
    return hpc_clamp_one(v, a, b);
}
HPC_BOTH float lerp(float a, float b, float t)
{
    return a + t * (b - a);
}
HPC_BOTH float smoothstep(float a, float b, float x)
{
    const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return y * y * (3.0f - 2.0f * y);
}

/* Vectors of one number, of fewer components, and of other types. */
#define HPC_MAKERS(T, S)                                                                           \
    HPC_BOTH T##2 make_##T##2(S s)                                                                 \
    {                                                                                              \
        return make_##T##2(s, s);                                                                  \
    }                                                                                              \
    HPC_BOTH T##2 make_##T##2(T##3 a)                                                              \
    {                                                                                              \
        return make_##T##2(a.x, a.y);                                                              \
    }                                                                                              \
    HPC_BOTH T##3 make_##T##3(S s)                                                                 \
    {                                                                                              \
        return make_##T##3(s, s, s);                                                               \
    }                                                                                              \
    HPC_BOTH T##3 make_##T##3(T##2 a)                                                              \
    {                                                                                              \
        return make_##T##3(a.x, a.y, 0);                                                           \
    }                                                                                              \
    HPC_BOTH T##3 make_##T##3(T##2 a, S s)                                                         \
    {                                                                                              \
        return make_##T##3(a.x, a.y, s);                                                           \
    }                                                                                              \
    HPC_BOTH T##3 make_##T##3(T##4 a)                                                              \
    {                                                                                              \
        return make_##T##3(a.x, a.y, a.z);                                                         \
    }                                                                                              \
    HPC_BOTH T##4 make_##T##4(S s)                                                                 \
    {                                                                                              \
        return make_##T##4(s, s, s, s);                                                            \
    }                                                                                              \
    HPC_BOTH T##4 make_##T##4(T##3 a)                                                              \
    {                                                                                              \
        return make_##T##4(a.x, a.y, a.z, 0);                                                      \
    }                                                                                              \
    HPC_BOTH T##4 make_##T##4(T##3 a, S w)                                                         \
    {                                                                                              \
        return make_##T##4(a.x, a.y, a.z, w);                                                      \
    }

#define HPC_AS(T, S, F)                                                                            \
    HPC_BOTH T##2 make_##T##2(F##2 a)                                                              \
    {                                                                                              \
        return make_##T##2((S)a.x, (S)a.y);                                                        \
    }                                                                                              \
    HPC_BOTH T##3 make_##T##3(F##3 a)                                                              \
    {                                                                                              \
        return make_##T##3((S)a.x, (S)a.y, (S)a.z);                                                \
    }                                                                                              \
    HPC_BOTH T##4 make_##T##4(F##4 a)                                                              \
    {                                                                                              \
        return make_##T##4((S)a.x, (S)a.y, (S)a.z, (S)a.w);                                        \
    }

HPC_MAKERS(float, float)
HPC_MAKERS(int, int)
HPC_MAKERS(uint, uint)
HPC_AS(float, float, int)
HPC_AS(float, float, uint)
HPC_AS(int, int, float)
HPC_AS(int, int, uint)
HPC_AS(uint, uint, int)

#define HPC_FLOATS(V, n)                                                                           \
    HPC_VECTOR(V, float, n)                                                                        \
    HPC_OPERATOR(V, float, n, /, OVER)                                                             \
    HPC_NEGATIVE(V, n)                                                                             \
    HPC_BOTH V fminf(V a, V b)                                                                     \
    {                                                                                              \
        return min(a, b);                                                                          \
    }                                                                                              \
    HPC_BOTH V fmaxf(V a, V b)                                                                     \
    {                                                                                              \
        return max(a, b);                                                                          \
    }                                                                                              \
    HPC_BOTH V lerp(V a, V b, float t)                                                             \
    {                                                                                              \
        return a + t * (b - a);                                                                    \
    }                                                                                              \
    HPC_BOTH V floorf(V v)                                                                         \
    {                                                                                              \
        return make_##V(HPC_EACH_##n(HPC_FLOOR));                                                  \
    }                                                                                              \
    HPC_BOTH V fracf(V v)                                                                          \
    {                                                                                              \
        return make_##V(HPC_EACH_##n(HPC_FRACTION));                                               \
    }                                                                                              \
    HPC_BOTH V fmodf(V a, V b)                                                                     \
    {                                                                                              \
        return make_##V(HPC_EACH_##n(HPC_MODULO));                                                 \
    }                                                                                              \
    HPC_BOTH V fabs(V v)                                                                           \
    {                                                                                              \
        return make_##V(HPC_EACH_##n(HPC_ABSOLUTE));                                               \
    }                                                                                              \
    HPC_BOTH V smoothstep(V a, V b, V x)                                                           \
    {                                                                                              \
        const V y = clamp((x - a) / (b - a), 0.0f, 1.0f);                                          \
        return y * y * (make_##V(3.0f) - make_##V(2.0f) * y);                                      \
    }                                                                                              \
    HPC_BOTH float length(V v)                                                                     \
    {                                                                                              \
        return sqrtf(dot(v, v));                                                                   \
    }                                                                                              \
    HPC_BOTH V normalize(V v)                                                                      \
    {                                                                                              \
        return v * (1.0f / sqrtf(dot(v, v)));                                                      \
    }                                                                                              \
    HPC_BOTH V reflect(V i, V n_)                                                                  \
    {                                                                                              \
        return i - 2.0f * n_ * dot(n_, i);                                                         \
    }

#define HPC_DOTS(T, S)                                                                             \
    HPC_BOTH S dot(T##2 a, T##2 b)                                                                 \
    {                                                                                              \
        return a.x * b.x + a.y * b.y;                                                              \
    }                                                                                              \
    HPC_BOTH S dot(T##3 a, T##3 b)                                                                 \
    {                                                                                              \
        return a.x * b.x + a.y * b.y + a.z * b.z;                                                  \
    }                                                                                              \
    HPC_BOTH S dot(T##4 a, T##4 b)                                                                 \
    {                                                                                              \
        return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;                                      \
    }

#define HPC_INTS(V, n)                                                                             \
    HPC_VECTOR(V, int, n)                                                                          \
    HPC_NEGATIVE(V, n)                                                                             \
    HPC_BOTH V abs(V v)                                                                            \
    {                                                                                              \
        return make_##V(HPC_EACH_##n(HPC_ABSOLUTE_INT));                                           \
    }

HPC_DOTS(float, float)
HPC_DOTS(int, int)
HPC_DOTS(uint, uint)
HPC_FLOATS(float2, 2)
HPC_FLOATS(float3, 3)
HPC_FLOATS(float4, 4)
HPC_INTS(int2, 2)
HPC_INTS(int3, 3)
HPC_INTS(int4, 4)
HPC_VECTOR(uint2, uint, 2)
HPC_VECTOR(uint3, uint, 3)
HPC_VECTOR(uint4, uint, 4)

HPC_BOTH float fracf(float v)
{
    return v - floorf(v);
}

HPC_BOTH float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
#endif
