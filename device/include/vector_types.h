/* CUDA's vector types: plain structs with its alignments. */
#ifndef HPC_DEVICE_VECTOR_TYPES_H
#define HPC_DEVICE_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__ /* what helper headers ask for */

#ifndef __align__
#define __align__(n) __attribute__((aligned(n)))
#endif

#define HPC_VECTORS(name, type, align2, align4)                                                    \
    struct name##1                                                                                 \
    {                                                                                              \
        type x;                                                                                    \
    };                                                                                             \
    struct __attribute__((aligned(align2))) name##2                                                \
    {                                                                                              \
        type x, y;                                                                                 \
    };                                                                                             \
    struct name##3                                                                                 \
    {                                                                                              \
        type x, y, z;                                                                              \
    };                                                                                             \
    struct __attribute__((aligned(align4))) name##4                                                \
    {                                                                                              \
        type x, y, z, w;                                                                           \
    };                                                                                             \
    typedef struct name##1 name##1;                                                                \
    typedef struct name##2 name##2;                                                                \
    typedef struct name##3 name##3;                                                                \
    typedef struct name##4 name##4;

HPC_VECTORS(char, signed char, 2, 4)
HPC_VECTORS(uchar, unsigned char, 2, 4)
HPC_VECTORS(short, short, 4, 8)
HPC_VECTORS(ushort, unsigned short, 4, 8)
HPC_VECTORS(int, int, 8, 16)
HPC_VECTORS(uint, unsigned int, 8, 16)
HPC_VECTORS(long, long, 16, 16)
HPC_VECTORS(ulong, unsigned long, 16, 16)
HPC_VECTORS(longlong, long long, 16, 16)
HPC_VECTORS(ulonglong, unsigned long long, 16, 16)
HPC_VECTORS(float, float, 8, 16)
HPC_VECTORS(double, double, 16, 16)
#undef HPC_VECTORS

struct dim3 {
    unsigned x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz)
    {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
#endif
};
typedef struct dim3 dim3;

#endif
