/* make_float4 and the others of its kind. */
#ifndef HPC_DEVICE_VECTOR_FUNCTIONS_H
#define HPC_DEVICE_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define HPC_MAKE(name, type)                                                                       \
    static inline constexpr name##1 make_##name##1(type x)                                         \
    {                                                                                              \
        return name##1 {x};                                                                        \
    }                                                                                              \
    static inline constexpr name##2 make_##name##2(type x, type y)                                 \
    {                                                                                              \
        return name##2 {x, y};                                                                     \
    }                                                                                              \
    static inline constexpr name##3 make_##name##3(type x, type y, type z)                         \
    {                                                                                              \
        return name##3 {x, y, z};                                                                  \
    }                                                                                              \
    static inline constexpr name##4 make_##name##4(type x, type y, type z, type w)                 \
    {                                                                                              \
        return name##4 {x, y, z, w};                                                               \
    }

HPC_MAKE(char, signed char)
HPC_MAKE(uchar, unsigned char)
HPC_MAKE(short, short)
HPC_MAKE(ushort, unsigned short)
HPC_MAKE(int, int)
HPC_MAKE(uint, unsigned int)
HPC_MAKE(long, long)
HPC_MAKE(ulong, unsigned long)
HPC_MAKE(longlong, long long)
HPC_MAKE(ulonglong, unsigned long long)
HPC_MAKE(float, float)
HPC_MAKE(double, double)
#undef HPC_MAKE

#endif
