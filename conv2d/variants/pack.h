/* N neighbouring elements that a thread loads and stores together, by 16 bytes at most: for arrays
 * that begin at a multiple of 16 bytes and rows of a multiple of N. */
#ifndef HPC_CONV2D_PACK_H
#define HPC_CONV2D_PACK_H

#include <cuda_fp16.h>

#include "conv2d/variants/gpu.h"

namespace
{

template <class T, int N> struct alignas(sizeof(T) * N) pack {
    T v[N];

    __device__ static pack zero()
    {
        pack p;
#pragma unroll
        for (int i = 0; i < N; i++)
            p.v[i] = T(0.0f);
        return p;
    }

    /* From element `at` on. */
    __device__ static pack load(const T *from, size_t at)
    {
        return *(const pack *)(from + at);
    }

    __device__ void store(T *to, size_t at) const
    {
        *(pack *)(to + at) = *this;
    }
};

/* How many channels lie together: 16 bytes of them in NHWC where that goes up, else one. */
inline int channels_packed(const struct conv2d_problem &p)
{
    const int most = 16 / (int)conv_type_bytes(p.type);
    return p.layout == CONV_NHWC && p.c % most == 0 ? most : 1;
}

} // namespace

#endif
