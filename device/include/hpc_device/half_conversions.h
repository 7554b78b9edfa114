/* cuda_fp16.h: conversions by name. */
#ifndef HPC_DEVICE_HALF_CONVERSIONS_H
#define HPC_DEVICE_HALF_CONVERSIONS_H

HPC_MATH __half __float2half(float x)
{
    return __half(x);
}
HPC_MATH __half __double2half(double x)
{
    return __half(x);
}
HPC_MATH float __half2float(__half h)
{
    return (float)h;
}

/* From a type, in each rounding; and back, as a GPU does it: saturated, NaN as 0. */
#define HPC_HALF_FROM(name, type)                                                                  \
    HPC_MATH __half name##_rn(type x)                                                              \
    {                                                                                              \
        return hpc_dev::half_of(hpc_dev::half_bits((double)x, hpc_dev::TO_NEAREST));               \
    }                                                                                              \
    HPC_MATH __half name##_rz(type x)                                                              \
    {                                                                                              \
        return hpc_dev::half_of(hpc_dev::half_bits((double)x, hpc_dev::TO_ZERO));                  \
    }                                                                                              \
    HPC_MATH __half name##_ru(type x)                                                              \
    {                                                                                              \
        return hpc_dev::half_of(hpc_dev::half_bits((double)x, hpc_dev::UP));                       \
    }                                                                                              \
    HPC_MATH __half name##_rd(type x)                                                              \
    {                                                                                              \
        return hpc_dev::half_of(hpc_dev::half_bits((double)x, hpc_dev::DOWN));                     \
    }
HPC_HALF_FROM(__float2half, float)
HPC_HALF_FROM(__int2half, int)
HPC_HALF_FROM(__uint2half, unsigned)
HPC_HALF_FROM(__short2half, short)
HPC_HALF_FROM(__ushort2half, unsigned short)
HPC_HALF_FROM(__ll2half, long long)
HPC_HALF_FROM(__ull2half, unsigned long long)
#undef HPC_HALF_FROM

#define HPC_HALF_TO(name, type)                                                                    \
    HPC_MATH type name##_rn(__half h)                                                              \
    {                                                                                              \
        return hpc_dev::to_integer<type>(rintf((float)h));                                         \
    }                                                                                              \
    HPC_MATH type name##_rz(__half h)                                                              \
    {                                                                                              \
        return hpc_dev::to_integer<type>(truncf((float)h));                                        \
    }                                                                                              \
    HPC_MATH type name##_ru(__half h)                                                              \
    {                                                                                              \
        return hpc_dev::to_integer<type>(ceilf((float)h));                                         \
    }                                                                                              \
    HPC_MATH type name##_rd(__half h)                                                              \
    {                                                                                              \
        return hpc_dev::to_integer<type>(floorf((float)h));                                        \
    }
HPC_HALF_TO(__half2int, int)
HPC_HALF_TO(__half2uint, unsigned)
HPC_HALF_TO(__half2short, short)
HPC_HALF_TO(__half2ushort, unsigned short)
HPC_HALF_TO(__half2ll, long long)
HPC_HALF_TO(__half2ull, unsigned long long)
#undef HPC_HALF_TO

HPC_MATH short __half_as_short(__half h)
{
    return (short)h.__x;
}
HPC_MATH unsigned short __half_as_ushort(__half h)
{
    return h.__x;
}
HPC_MATH __half __short_as_half(short x)
{
    return hpc_dev::half_of((uint16_t)x);
}
HPC_MATH __half __ushort_as_half(unsigned short x)
{
    return hpc_dev::half_of(x);
}

/* Pairs. */
HPC_MATH __half2 make_half2(__half a, __half b)
{
    return __half2(a, b);
}
HPC_MATH __half2 __halves2half2(__half a, __half b)
{
    return __half2(a, b);
}
HPC_MATH __half2 __half2half2(__half a)
{
    return __half2(a, a);
}
HPC_MATH __half2 __float2half2_rn(float x)
{
    return __half2(__half(x), __half(x));
}
HPC_MATH __half2 __floats2half2_rn(float a, float b)
{
    return __half2(__half(a), __half(b));
}
HPC_MATH __half2 __float22half2_rn(float2 x)
{
    return __half2(__half(x.x), __half(x.y));
}
HPC_MATH float2 __half22float2(__half2 h)
{
    return make_float2((float)h.x, (float)h.y);
}
HPC_MATH float __low2float(__half2 h)
{
    return (float)h.x;
}
HPC_MATH float __high2float(__half2 h)
{
    return (float)h.y;
}
HPC_MATH __half __low2half(__half2 h)
{
    return h.x;
}
HPC_MATH __half __high2half(__half2 h)
{
    return h.y;
}
HPC_MATH __half2 __low2half2(__half2 h)
{
    return __half2(h.x, h.x);
}
HPC_MATH __half2 __high2half2(__half2 h)
{
    return __half2(h.y, h.y);
}
HPC_MATH __half2 __lowhigh2highlow(__half2 h)
{
    return __half2(h.y, h.x);
}
HPC_MATH __half2 __lows2half2(__half2 a, __half2 b)
{
    return __half2(a.x, b.x);
}
HPC_MATH __half2 __highs2half2(__half2 a, __half2 b)
{
    return __half2(a.y, b.y);
}

#endif
