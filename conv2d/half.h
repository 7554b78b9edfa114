/* IEEE half precision on the host, without help of the processor. */
#ifndef HPC_CONV2D_HALF_H
#define HPC_CONV2D_HALF_H

#include <stdint.h>
#include <string.h>

/* Every half is a float. */
static inline float half_to_float(uint16_t h)
{
    const uint32_t sign = (uint32_t)(h >> 15) << 31, exponent = h >> 10 & 31, mantissa = h & 1023;
    uint32_t bits = sign | (exponent + 112) << 23 | mantissa << 13;
    float value;
    if (exponent == 31)
        bits = sign | 0x7f800000u | mantissa << 13;
    if (exponent == 0) { /* a multiple of 2^-24 */
        value = (float)mantissa * 0x1p-24f;
        return sign ? -value : value;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* To the nearest, ties to even; what is too large becomes infinite. */
static inline uint16_t half_from_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    bits &= 0x7fffffff;
    if (bits > 0x7f800000)
        return sign | 0x7e00;
    if (bits >= 0x477ff000) /* 65520, halfway to 2^16 */
        return sign | 0x7c00;
    if (bits < 0x38800000) { /* below 2^-14: a multiple of 2^-24, rounded by the addition */
        float magic = 0.5f, sum;
        memcpy(&sum, &bits, sizeof sum);
        sum += magic;
        memcpy(&bits, &sum, sizeof bits);
        return (uint16_t)(sign | (bits & 0x7ff));
    }
    bits += 0xfff + (bits >> 13 & 1);
    return (uint16_t)(sign | (bits - 0x38000000) >> 13);
}

#endif
