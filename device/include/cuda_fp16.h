/* Half precision: storage in 16 bits, arithmetic in float with one rounding, as a GPU gives it. */
#ifndef HPC_DEVICE_CUDA_FP16_H
#define HPC_DEVICE_CUDA_FP16_H
#define __CUDA_FP16_H__

#include "cuda_runtime.h"

#include "hpc_device/half_convert.h"

struct __half_raw {
    unsigned short x;
};

struct __attribute__((aligned(4))) __half2_raw {
    unsigned short x, y;
};

struct __attribute__((aligned(2))) __half {
    unsigned short __x;
    __half() = default;
    constexpr __half(const __half_raw &r) : __x(r.x)
    {
    }
    __half(float x) : __x(hpc_dev::half_bits_nearest(x))
    {
    }
    __half(double x) : __x(hpc_dev::half_bits(x, hpc_dev::TO_NEAREST))
    {
    }
#define HPC_FROM(type)                                                                             \
    __half(type x) : __x(hpc_dev::half_bits((double)x, hpc_dev::TO_NEAREST))                       \
    {                                                                                              \
    }
    HPC_FROM(short)
    HPC_FROM(unsigned short)
    HPC_FROM(int)
    HPC_FROM(unsigned)
    HPC_FROM(long)
    HPC_FROM(unsigned long)
    HPC_FROM(long long)
    HPC_FROM(unsigned long long)
#undef HPC_FROM
    operator float() const
    {
        return hpc_dev::half_value(__x);
    }
    operator __half_raw() const
    {
        return {__x};
    }
};
typedef __half half;
typedef __half __nv_half;
typedef __half nv_half;

struct __attribute__((aligned(4))) __half2 {
    __half x, y;
    __half2() = default;
    __half2(const __half &a, const __half &b) : x(a), y(b)
    {
    }
};
typedef __half2 half2;
typedef __half2 __nv_half2;
typedef __half2 nv_half2;

namespace hpc_dev
{
static inline __half half_of(uint16_t bits)
{
    return __half(__half_raw{bits});
}
template <class F> static inline __half2 both(__half2 a, F f)
{
    return __half2(f(a.x), f(a.y));
}
template <class F> static inline __half2 both(__half2 a, __half2 b, F f)
{
    return __half2(f(a.x, b.x), f(a.y, b.y));
}
} // namespace hpc_dev

#include "hpc_device/half_arithmetic.h"
#include "hpc_device/half_conversions.h"

#endif
