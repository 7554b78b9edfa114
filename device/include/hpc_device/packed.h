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

#endif
