/* Integers of 8 or 16 bits, four or two in a word: __vadd4, __vmaxs2 and their kin. */
#ifndef HPC_DEVICE_PACKED_H
#define HPC_DEVICE_PACKED_H

namespace hpc_dev
{
/* A word of what `one` makes of each pair of numbers of type N in a and b. */
template <class N, class F> static inline auto packed(unsigned a, unsigned b, F one)
{
    constexpr int bits = 8 * sizeof(N);
    constexpr unsigned mask = (1u << bits) - 1;
    unsigned word = 0;
    for (int k = 0; k < 32; k += bits)
        word |= ((unsigned)one((int)(N)(a >> k), (int)(N)(b >> k)) & mask) << k;
    return word;
}

template <class N, class F> static inline auto packed_sum(unsigned a, unsigned b, F one)
{
    unsigned sum = 0;
    for (int k = 0; k < 32; k += 8 * (int)sizeof(N))
        sum += (unsigned)one((int)(N)(a >> k), (int)(N)(b >> k));
    return sum;
}

/* The number of type N that is nearest to x. */
template <class N> static inline auto saturated(int x)
{
    constexpr int low = std::numeric_limits<N>::min(), high = std::numeric_limits<N>::max();
    return x < low ? low : x > high ? high : x;
}

static inline int distance(int a, int b)
{
    return a > b ? a - b : b - a;
}
} // namespace hpc_dev

#define HPC_PACKED(name, N, expression)                                                            \
    HPC_MATH unsigned name(unsigned a, unsigned b)                                                 \
    {                                                                                              \
        return hpc_dev::packed<N>(a, b, [](int x, int y) { return expression; });                  \
    }
#define HPC_PACKED_ONE(name, N, expression)                                                        \
    HPC_MATH unsigned name(unsigned a)                                                             \
    {                                                                                              \
        return hpc_dev::packed<N>(a, a, [](int x, int) { return expression; });                    \
    }
/* All bits of a number are set where it is so, or the last one. */
#define HPC_PACKED_IS(is, count, N, sign)                                                          \
    HPC_PACKED(__vcmp##is##count, N, x sign y ? -1 : 0)                                            \
    HPC_PACKED(__vset##is##count, N, x sign y ? 1 : 0)
#define HPC_PACKED_SUM(name, N)                                                                    \
    HPC_MATH unsigned name(unsigned a, unsigned b)                                                 \
    {                                                                                              \
        return hpc_dev::packed_sum<N>(a, b, hpc_dev::distance);                                    \
    }
#define HPC_PACKED_ALL(count, S, U)                                                                \
    HPC_PACKED(__vadd##count, U, x + y)                                                            \
    HPC_PACKED(__vaddss##count, S, hpc_dev::saturated<S>(x + y))                                   \
    HPC_PACKED(__vaddus##count, U, hpc_dev::saturated<U>(x + y))                                   \
    HPC_PACKED(__vsub##count, U, x - y)                                                            \
    HPC_PACKED(__vsubss##count, S, hpc_dev::saturated<S>(x - y))                                   \
    HPC_PACKED(__vsubus##count, U, hpc_dev::saturated<U>(x - y))                                   \
    HPC_PACKED(__vabsdiffs##count, S, hpc_dev::distance(x, y))                                     \
    HPC_PACKED(__vabsdiffu##count, U, hpc_dev::distance(x, y))                                     \
    HPC_PACKED(__vavgs##count, S, (x + y + 1 - (x + y < 0)) >> 1)                                  \
    HPC_PACKED(__vavgu##count, U, (x + y + 1) >> 1)                                                \
    HPC_PACKED(__vhaddu##count, U, (x + y) >> 1)                                                   \
    HPC_PACKED(__vmaxs##count, S, x > y ? x : y)                                                   \
    HPC_PACKED(__vmaxu##count, U, x > y ? x : y)                                                   \
    HPC_PACKED(__vmins##count, S, x < y ? x : y)                                                   \
    HPC_PACKED(__vminu##count, U, x < y ? x : y)                                                   \
    HPC_PACKED_ONE(__vabs##count, S, x < 0 ? -x : x)                                               \
    HPC_PACKED_ONE(__vabsss##count, S, hpc_dev::saturated<S>(x < 0 ? -x : x))                      \
    HPC_PACKED_ONE(__vneg##count, S, -x)                                                           \
    HPC_PACKED_ONE(__vnegss##count, S, hpc_dev::saturated<S>(-x))                                  \
    HPC_PACKED_SUM(__vsads##count, S)                                                              \
    HPC_PACKED_SUM(__vsadu##count, U)                                                              \
    HPC_PACKED_IS(eq, count, U, ==)                                                                \
    HPC_PACKED_IS(ne, count, U, !=)                                                                \
    HPC_PACKED_IS(ges, count, S, >=)                                                               \
    HPC_PACKED_IS(geu, count, U, >=)                                                               \
    HPC_PACKED_IS(gts, count, S, >)                                                                \
    HPC_PACKED_IS(gtu, count, U, >)                                                                \
    HPC_PACKED_IS(les, count, S, <=)                                                               \
    HPC_PACKED_IS(leu, count, U, <=)                                                               \
    HPC_PACKED_IS(lts, count, S, <)                                                                \
    HPC_PACKED_IS(ltu, count, U, <)
HPC_PACKED_ALL(2, int16_t, uint16_t)
HPC_PACKED_ALL(4, int8_t, uint8_t)
#undef HPC_PACKED_ALL
#undef HPC_PACKED_SUM
#undef HPC_PACKED_IS
#undef HPC_PACKED_ONE
#undef HPC_PACKED

/* Sums, least and largest ones of whole words and of two numbers in one; relu: at least 0. */
namespace hpc_dev
{
template <class N> static inline auto least(N a, N b)
{
    return a < b ? a : b;
}
template <class N> static inline auto most(N a, N b)
{
    return a > b ? a : b;
}
/* In each number of type N of three words what `one` makes of it. */
template <class N, class F> static inline auto words(unsigned a, unsigned b, unsigned c, F one)
{
    if constexpr (sizeof(N) == 4)
        return (unsigned)one((N)a, (N)b, (N)c);
    else
        return (unsigned)(uint16_t)one((N)a, (N)b, (N)c) |
               (unsigned)(uint16_t)one((N)(a >> 16), (N)(b >> 16), (N)(c >> 16)) << 16;
}
template <class N> static inline auto sum(N a, N b)
{
    return (N)((unsigned)a + (unsigned)b);
}
} // namespace hpc_dev

#define HPC_WORDS(name, word, N, expression)                                                       \
    HPC_MATH word name(word a, word b, word c)                                                     \
    {                                                                                              \
        using namespace hpc_dev;                                                                   \
        return (word)words<N>((unsigned)a, (unsigned)b, (unsigned)c,                               \
                              [](N x, N y, N z) -> N { return expression; });                      \
    }
#define HPC_WORDS_TWO(name, word, N, expression)                                                   \
    HPC_MATH word name(word a, word b)                                                             \
    {                                                                                              \
        using namespace hpc_dev;                                                                   \
        return (word)words<N>((unsigned)a, (unsigned)b, 0,                                         \
                              [](N x, N y, N) -> N { return expression; });                        \
    }
#define HPC_WORDS_SIDE(side, pick, type, word, N)                                                  \
    HPC_WORDS(__viadd##side##_##type, word, N, pick<N>(sum<N>(x, y), z))                           \
    HPC_WORDS(__vi##side##3_##type, word, N, pick<N>(pick<N>(x, y), z))
#define HPC_WORDS_RELU(side, pick, type, word, N)                                                  \
    HPC_WORDS(__viadd##side##_##type##_relu, word, N, most<N>(pick<N>(sum<N>(x, y), z), 0))        \
    HPC_WORDS(__vi##side##3_##type##_relu, word, N, most<N>(pick<N>(pick<N>(x, y), z), 0))         \
    HPC_WORDS_TWO(__vi##side##_##type##_relu, word, N, most<N>(pick<N>(x, y), 0))
/* And which one it was, the first if they are the same. */
#define HPC_WORDS_WHICH(side, pick, sign)                                                          \
    HPC_MATH int __vib##side##_s32(int a, int b, bool *first)                                      \
    {                                                                                              \
        *first = a sign b;                                                                         \
        return hpc_dev::pick(a, b);                                                                \
    }                                                                                              \
    HPC_MATH unsigned __vib##side##_u32(unsigned a, unsigned b, bool *first)                       \
    {                                                                                              \
        *first = a sign b;                                                                         \
        return hpc_dev::pick(a, b);                                                                \
    }                                                                                              \
    HPC_MATH unsigned __vib##side##_s16x2(unsigned a, unsigned b, bool *high, bool *low)           \
    {                                                                                              \
        *high = (int16_t)(a >> 16) sign(int16_t)(b >> 16), *low = (int16_t)a sign(int16_t) b;      \
        return hpc_dev::words<int16_t>(                                                            \
            a, b, 0, [](int16_t x, int16_t y, int16_t) { return hpc_dev::pick(x, y); });           \
    }                                                                                              \
    HPC_MATH unsigned __vib##side##_u16x2(unsigned a, unsigned b, bool *high, bool *low)           \
    {                                                                                              \
        *high = a >> 16 sign b >> 16, *low = (uint16_t)a sign(uint16_t) b;                         \
        return hpc_dev::words<uint16_t>(                                                           \
            a, b, 0, [](uint16_t x, uint16_t y, uint16_t) { return hpc_dev::pick(x, y); });        \
    }
#define HPC_WORDS_ALL(side, pick, sign)                                                            \
    HPC_WORDS_SIDE(side, pick, s32, int, int)                                                      \
    HPC_WORDS_SIDE(side, pick, u32, unsigned, unsigned)                                            \
    HPC_WORDS_SIDE(side, pick, s16x2, unsigned, int16_t)                                           \
    HPC_WORDS_SIDE(side, pick, u16x2, unsigned, uint16_t)                                          \
    HPC_WORDS_RELU(side, pick, s32, int, int)                                                      \
    HPC_WORDS_RELU(side, pick, s16x2, unsigned, int16_t)                                           \
    HPC_WORDS_WHICH(side, pick, sign)
HPC_WORDS_ALL(max, most, >=)
HPC_WORDS_ALL(min, least, <=)
#undef HPC_WORDS_ALL
#undef HPC_WORDS_WHICH
#undef HPC_WORDS_RELU
#undef HPC_WORDS_SIDE
#undef HPC_WORDS_TWO
#undef HPC_WORDS

#endif
