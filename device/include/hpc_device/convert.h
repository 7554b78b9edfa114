/* Conversions with a rounding, and bits of one type as another. */
#ifndef HPC_DEVICE_CONVERT_H
#define HPC_DEVICE_CONVERT_H

#include <cmath>
#include <limits>

namespace hpc_dev
{
/* A floating-point value as an integer as a GPU does it: saturated, NaN as 0. */
template <class I, class F> static inline auto to_integer(F x)
{
    if (x != x)
        return I{0};
    const F low = (F)std::numeric_limits<I>::min(), high = (F)std::numeric_limits<I>::max();
    if (x <= low)
        return std::numeric_limits<I>::min();
    return x >= high ? std::numeric_limits<I>::max() : (I)x;
}

/* x as a type that may not have it, rounded up (1), down (-1) or towards zero (0): the nearest
 * value, or its neighbour where that lies on the other side of x. */
template <class F, class X> static inline auto directed(X x, int way)
{
    const F near = (F)x;
    const long double exact = (long double)x;
    if (way == 0)
        way = exact < 0 ? 1 : -1;
    if (way > 0)
        return (long double)near < exact ? std::nextafter(near, (F)INFINITY) : near;
    return (long double)near > exact ? std::nextafter(near, -(F)INFINITY) : near;
}

template <class To, class From> static inline auto bits_as(From from)
{
    static_assert(sizeof(To) == sizeof(From), "as many bits");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
} // namespace hpc_dev

#define HPC_TO_INTEGER(name, from, to, near, down, up, zero)                                       \
    HPC_MATH to __##name##_rn(from x)                                                              \
    {                                                                                              \
        return hpc_dev::to_integer<to>(near(x));                                                   \
    }                                                                                              \
    HPC_MATH to __##name##_rd(from x)                                                              \
    {                                                                                              \
        return hpc_dev::to_integer<to>(down(x));                                                   \
    }                                                                                              \
    HPC_MATH to __##name##_ru(from x)                                                              \
    {                                                                                              \
        return hpc_dev::to_integer<to>(up(x));                                                     \
    }                                                                                              \
    HPC_MATH to __##name##_rz(from x)                                                              \
    {                                                                                              \
        return hpc_dev::to_integer<to>(zero(x));                                                   \
    }
HPC_TO_INTEGER(float2int, float, int, rintf, floorf, ceilf, truncf)
HPC_TO_INTEGER(float2uint, float, unsigned, rintf, floorf, ceilf, truncf)
HPC_TO_INTEGER(float2ll, float, long long, rintf, floorf, ceilf, truncf)
HPC_TO_INTEGER(float2ull, float, unsigned long long, rintf, floorf, ceilf, truncf)
HPC_TO_INTEGER(double2int, double, int, rint, floor, ceil, trunc)
HPC_TO_INTEGER(double2uint, double, unsigned, rint, floor, ceil, trunc)
HPC_TO_INTEGER(double2ll, double, long long, rint, floor, ceil, trunc)
HPC_TO_INTEGER(double2ull, double, unsigned long long, rint, floor, ceil, trunc)
#undef HPC_TO_INTEGER

#define HPC_CAST(name, from, to)                                                                   \
    HPC_MATH to name##_rn(from x)                                                                  \
    {                                                                                              \
        return (to)x;                                                                              \
    }
#define HPC_DIRECTED(name, from, to)                                                               \
    HPC_CAST(name, from, to)                                                                       \
    HPC_MATH to name##_ru(from x)                                                                  \
    {                                                                                              \
        return hpc_dev::directed<to>(x, 1);                                                        \
    }                                                                                              \
    HPC_MATH to name##_rd(from x)                                                                  \
    {                                                                                              \
        return hpc_dev::directed<to>(x, -1);                                                       \
    }                                                                                              \
    HPC_MATH to name##_rz(from x)                                                                  \
    {                                                                                              \
        return hpc_dev::directed<to>(x, 0);                                                        \
    }
HPC_DIRECTED(__int2float, int, float)
HPC_DIRECTED(__uint2float, unsigned, float)
HPC_DIRECTED(__ll2float, long long, float)
HPC_DIRECTED(__ull2float, unsigned long long, float)
HPC_CAST(__int2double, int, double)
HPC_CAST(__uint2double, unsigned, double)
HPC_DIRECTED(__ll2double, long long, double)
HPC_DIRECTED(__ull2double, unsigned long long, double)
HPC_DIRECTED(__double2float, double, float)
#undef HPC_DIRECTED
#undef HPC_CAST

#define HPC_BITS(name, from, to)                                                                   \
    HPC_MATH to name(from x)                                                                       \
    {                                                                                              \
        return hpc_dev::bits_as<to>(x);                                                            \
    }
HPC_BITS(__float_as_int, float, int)
HPC_BITS(__float_as_uint, float, unsigned)
HPC_BITS(__int_as_float, int, float)
HPC_BITS(__uint_as_float, unsigned, float)
HPC_BITS(__double_as_longlong, double, long long)
HPC_BITS(__longlong_as_double, long long, double)
#undef HPC_BITS
HPC_MATH int __double2hiint(double x)
{
    return (int)(hpc_dev::bits_as<uint64_t>(x) >> 32);
}
HPC_MATH int __double2loint(double x)
{
    return (int)(uint32_t)hpc_dev::bits_as<uint64_t>(x);
}
HPC_MATH double __hiloint2double(int hi, int lo)
{
    return hpc_dev::bits_as<double>((uint64_t)(uint32_t)hi << 32 | (uint32_t)lo);
}

#endif
