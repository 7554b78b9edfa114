/* x on its way into shared memory, in two halves: what a block of conv_dense_split needs of some
 * groups of 16 channels. All elements are scaled by one power of two, 2^-e, so that the largest
 * lies in [2^14, 2^15): x = 2^e (upper + 2^-11 lower), 22 bits of each down to 2^-29 of the
 * largest. Where one is smaller than that, infinite or no number, the block has to multiply x as it
 * is.
 *
 * A pixel is a row: the upper halves of its channels, then the lower ones, then 16 bytes of
 * nothing, so that ldmatrix finds 8 neighbours in 8 different sets of banks. */
#ifndef HPC_CONV2D_SPLIT_PATCH_H
#define HPC_CONV2D_SPLIT_PATCH_H

#include "conv2d/variants/split_plan.h"
#include "conv2d/variants/tensor.h"

namespace
{

/* The largest and the least element that is not zero, as bits: the order of floats above zero is
 * that of their bits. */
struct split_range {
    unsigned most, least;

    /* 2^e may be a float, and products with 2^e and a weight's unit too. */
    __device__ bool exact() const
    {
        const int high = (int)(most >> 23), low = (int)(least >> 23);
        return most != 0 && (high < 77 || high > 207 || high - low > 28);
    }

    __device__ float factor() const /* 2^-e */
    {
        return most == 0 ? 1 : __int_as_float((127 + 141 - (int)(most >> 23)) << 23);
    }

    __device__ float unit() const /* 2^e */
    {
        return most == 0 ? 1 : __int_as_float((127 - 141 + (int)(most >> 23)) << 23);
    }
};

__device__ inline split_range split_nothing()
{
    return {0, 0xffffffffu};
}

struct split_patch {
    const float *x;    /* the image */
    const int *offset; /* of each pixel in a map of x, -1 outside of it */
    char *rows;
    int channels, plane, pixels, pitch;
    struct split_divisor by_pixels;
    bool nhwc;
};

/* 8 channels from c on of a pixel. */
__device__ inline void split_read(const split_patch &s, int c, int offset, float v[8])
{
    const int step = s.nhwc ? 1 : s.plane, left = s.channels - c;
    const float *at = s.x + (s.nhwc ? offset * s.channels + c : c * s.plane + offset);
#pragma unroll
    for (int i = 0; i < 8; i++)
        v[i] = offset >= 0 && i < left ? at[i * step] : 0;
}

/* Item i of the chunk's: which 8 channels, which pixel. Neighbouring threads read neighbours. */
__device__ inline int2 split_item(const split_patch &s, int i, int eights)
{
    const int q = s.nhwc ? i / eights : split_over(i, s.by_pixels);
    return s.nhwc ? make_int2(i - q * eights, q) : make_int2(q, i - q * s.pixels);
}

/* Joins the range of channels [c, c + 16 groups) to *shared; reads them all, so that they lie in
 * the L1 when split_store reads them again. */
__device__ inline void split_scan(const split_patch &s, int c, int groups, split_range *shared)
{
    split_range range = split_nothing();
#pragma unroll 2
    for (int i = threadIdx.x; i < 2 * groups * s.pixels; i += blockDim.x) {
        const int2 item = split_item(s, i, 2 * groups);
        float v[8];
        split_read(s, c + 8 * item.x, s.offset[item.y], v);
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const unsigned bits = (unsigned)__float_as_int(v[k]) & 0x7fffffffu;
            range.most = max(range.most, bits);
            range.least = min(range.least, bits ? bits : 0xffffffffu);
        }
    }
    __syncwarp();
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
        range.most = max(range.most, __shfl_xor_sync(ALL_LANES, range.most, step));
        range.least = min(range.least, __shfl_xor_sync(ALL_LANES, range.least, step));
    }
    if (threadIdx.x % 32 == 0) {
        atomicMax(&shared->most, range.most);
        atomicMin(&shared->least, range.least);
    }
}

__device__ inline uint32_t split_halves(float a, float b)
{
    const __half2 h = __halves2half2(__float2half_rn(a), __float2half_rn(b));
    uint32_t bits;
    memcpy(&bits, &h, sizeof bits);
    return bits;
}

__device__ inline float split_rest(float v) /* what the upper half leaves, times 2^11 */
{
    return (v - __half2float(__float2half_rn(v))) * 0x1p11f;
}

/* The channels as halves into the rows. */
template <int HALVES>
__device__ inline void split_store(const split_patch &s, int c, int groups, float factor)
{
#pragma unroll 2
    for (int i = threadIdx.x; i < 2 * groups * s.pixels; i += blockDim.x) {
        const int2 item = split_item(s, i, 2 * groups);
        float v[8];
        uint32_t upper[4], lower[4];
        split_read(s, c + 8 * item.x, s.offset[item.y], v);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const float a = v[2 * k] * factor, b = v[2 * k + 1] * factor;
            upper[k] = split_halves(a, b);
            lower[k] = split_halves(split_rest(a), split_rest(b));
        }
        char *row = s.rows + item.y * s.pitch + 16 * item.x;
        *(uint4 *)row = make_uint4(upper[0], upper[1], upper[2], upper[3]);
        if (HALVES == 2)
            *(uint4 *)(row + (s.pitch - 16) / 2) =
                make_uint4(lower[0], lower[1], lower[2], lower[3]);
    }
}

} // namespace

#endif
