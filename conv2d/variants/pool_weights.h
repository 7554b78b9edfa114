/* Weights of the fused convolution-pooling, made once: for each tile of FILTERS filters, chunk of
 * CHUNK channels and tap the swizzled image of an operand (hopper_product.h), FILTERS rows of CHUNK
 * halves; with two halves a factor, the upper ones, then the lower ones.
 *
 * From floats: a filter is multiplied by a power of two that brings its largest element to
 * [2^14, 2^15). The lower half of a number v is 2^11 (v - upper half): at 2^-29 of the largest
 * element, both together still have 22 bits. */
#ifndef HPC_CONV2D_POOL_WEIGHTS_H
#define HPC_CONV2D_POOL_WEIGHTS_H

#include <cuda_fp16.h>

#include "conv2d/variants/gpu.h"
#include "conv2d/variants/hopper_product.h"

namespace
{

const float LOWER = 2048; /* 2^11 */

/* The power of two that brings `most`, a float's absolute bits, to [2^TOP, 2^(TOP + 1)); 2^-126 to
 * 2^126. Of infinities and NaN: some number. */
template <int TOP> __device__ __forceinline__ int scale_exponent(uint32_t most)
{
    const int e = most ? TOP + 127 - (int)(most >> 23) : 0;
    return e < -126 ? -126 : e > 126 ? 126 : e;
}

__device__ __forceinline__ float power_of_two(int e) /* -126 .. 127 */
{
    return __uint_as_float((uint32_t)(127 + e) << 23);
}

/* A block for each filter: its scale's exponent; unscale = 1/4 of its inverse. */
__global__ void scale_filters_kernel(const float *w, int each, int *exponent, float *unscale)
{
    uint32_t most = 0;
    for (int i = threadIdx.x; i < each; i += 32)
        most = max(most, __float_as_uint(w[(size_t)blockIdx.x * each + i]) & 0x7fffffffu);
    for (int step = 16; step > 0; step /= 2)
        most = max(most, __shfl_xor_sync(~0u, most, step));
    const int e = scale_exponent<14>(most);
    if (threadIdx.x == 0) {
        exponent[blockIdx.x] = e;
        unscale[blockIdx.x] = 0.25f * power_of_two(-e);
    }
}

/* A thread for each element of w [K][3][3][C], in NCHW [K][C][3][3]. */
template <class T, int CHUNK, int FILTERS, int HALVES, int NCHW>
__global__ void pack_filters_kernel(const T *w, int filters, int channels, const int *exponent,
                                    __half *packed)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (size_t)filters * 9 * channels)
        return;
    const int k = i / channels / 9, c = (NCHW ? i / 9 : i) % channels;
    const int tap = (NCHW ? i : i / channels) % 9;
    const size_t stage = ((size_t)(k / FILTERS) * (channels / CHUNK) + c / CHUNK) * 9 + tap;
    __half *to = packed + stage * FILTERS * CHUNK * HALVES +
                 operand_piece<CHUNK * 2>(k % FILTERS, c % CHUNK / 8) / 2 + c % 8;
    const float v = exponent ? (float)w[i] * power_of_two(exponent[k]) : (float)w[i];
    *to = __float2half(v);
    if (HALVES == 2)
        to[FILTERS * CHUNK] = __float2half((v - __half2float(*to)) * LOWER);
}

} // namespace

#endif
