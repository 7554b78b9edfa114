/* Half precision as bits: conversions from and to float and double, with CUDA's roundings. */
#ifndef HPC_DEVICE_HALF_CONVERT_H
#define HPC_DEVICE_HALF_CONVERT_H

#ifdef __F16C__
#include <immintrin.h>
#endif

namespace hpc_dev
{
enum rounding { TO_NEAREST, TO_ZERO, UP, DOWN };

/* Whether the magnitude goes one up: `rest` of `unit` is cut off, `odd` is the last bit kept. */
static inline bool rounds_up(rounding r, bool negative, bool odd, uint64_t rest, uint64_t unit)
{
    switch (r) {
    case TO_NEAREST:
        return rest > unit / 2 || (rest == unit / 2 && odd);
    case UP:
        return rest > 0 && !negative;
    case DOWN:
        return rest > 0 && negative;
    default:
        return false;
    }
}

/* From a double: 53 bits of significand. NaN becomes 0x7fff, as on a GPU. */
static inline uint16_t half_bits(double x, rounding r)
{
    uint64_t bits = bits_as<uint64_t>(x), fraction = bits & ((1ull << 52) - 1);
    bool negative = bits >> 63;
    uint16_t sign = negative ? 0x8000 : 0;
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    if (x != x)
        return 0x7fff;
    if (exponent == 1024)
        return (uint16_t)(sign | 0x7c00);
    if (exponent < -26) { /* under a quarter of the smallest */
        bool up = rounds_up(r, negative, false, x != 0, 4);
        return (uint16_t)(sign | (up ? 1 : 0));
    }
    fraction |= 1ull << 52;
    int shift = exponent < -14 ? 42 + (-14 - exponent) : 42; /* bits that are cut off */
    uint64_t unit = 1ull << shift, kept = fraction >> shift, rest = fraction & (unit - 1);
    kept += rounds_up(r, negative, kept & 1, rest, unit);
    uint64_t result = exponent < -14 ? kept : kept + ((uint64_t)(exponent + 14) << 10);
    if (result >= 0x7c00) /* past the largest */
        result =
            r == TO_ZERO || (r == UP && negative) || (r == DOWN && !negative) ? 0x7bff : 0x7c00;
    return (uint16_t)(sign | result);
}

static inline uint16_t half_bits_nearest(float x)
{
#ifdef __F16C__
    return x != x ? 0x7fff : (uint16_t)_cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT);
#else
    return half_bits((double)x, TO_NEAREST);
#endif
}

static inline float half_value(uint16_t h)
{
#ifdef __F16C__
    return _cvtsh_ss(h);
#else
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 0x3ff;
    if (exponent == 31)
        return bits_as<float>(sign | 0x7f800000u | fraction << 13);
    if (exponent == 0) {
        float value = (float)fraction * 0x1p-24f;
        return sign ? -value : value;
    }
    return bits_as<float>(sign | (exponent + 112) << 23 | fraction << 13);
#endif
}

/* a * b + c, rounded once: the product is exact in double, and where the sum is not, its last bit
 * is made odd, so that rounding it again cannot go wrong. */
static inline uint16_t half_fma(float a, float b, float c)
{
    double product = (double)a * b, sum = product + c;
    double error = (product - (sum - (sum - product))) + (c - (sum - product));
    uint64_t bits = bits_as<uint64_t>(sum);
    if (error != 0 && sum - sum == 0 && !(bits & 1))
        bits = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
    return half_bits(bits_as<double>(bits), TO_NEAREST);
}
} // namespace hpc_dev

#endif
