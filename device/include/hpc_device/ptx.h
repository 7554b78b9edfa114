/* What PTX reads from special registers, and what its instructions do with operands, which are
 * bits: the instruction says of which type (device/rewrite/ptx.def). */
#ifndef HPC_DEVICE_PTX_H
#define HPC_DEVICE_PTX_H

namespace hpc_dev
{
HPC_UNCHECKED static inline unsigned warp()
{
    return dev_self->thread / 32;
}

HPC_UNCHECKED static inline unsigned lanes_equal()
{
    return 1u << lane();
}

HPC_UNCHECKED static inline unsigned lanes_below()
{
    return lanes_equal() - 1;
}

HPC_UNCHECKED static inline unsigned multiprocessors()
{
    return (unsigned)dev_processors();
}

/* Blocks are spread over multiprocessors in turn; one stays where it began. */
HPC_UNCHECKED static inline unsigned multiprocessor()
{
    return (unsigned)(dev_self->block % multiprocessors());
}

HPC_UNCHECKED static inline unsigned long long grid_number()
{
    return dev_self->launch->number;
}

HPC_UNCHECKED static inline unsigned dynamic_bytes()
{
    return (unsigned)dev_self->launch->dynamic_shared;
}

/* Nanoseconds since 1970. */
HPC_UNCHECKED static inline unsigned long long wall_time()
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* ---- the carry of an asm --------------------------------------------------------------------- */

template <class T> HPC_UNCHECKED static inline T add_carried(T a, T b, unsigned in, unsigned &out)
{
    typename std::make_unsigned<T>::type sum;
    const bool over = __builtin_add_overflow((decltype(sum))a, (decltype(sum))b, &sum);
    out = __builtin_add_overflow(sum, (decltype(sum))in, &sum) || over;
    return (T)sum;
}

template <class T> HPC_UNCHECKED static inline T sub_borrowed(T a, T b, unsigned in, unsigned &out)
{
    typename std::make_unsigned<T>::type left;
    const bool under = __builtin_sub_overflow((decltype(left))a, (decltype(left))b, &left);
    out = __builtin_sub_overflow(left, (decltype(left))in, &left) || under;
    return (T)left;
}

/* ---- operands -------------------------------------------------------------------------------- */

/* Integers as conversions do it; of all else the bits, as many as there is room for. */
template <class To, class From> HPC_UNCHECKED static inline auto ptx_as(const From &from)
{
    To to{};
    if constexpr (std::is_integral<To>::value && std::is_integral<From>::value)
        to = (To)from;
    else
        __builtin_memcpy(&to, &from, sizeof to < sizeof from ? sizeof to : sizeof from);
    return to;
}

/* The same for a variable, which the program's own code writes, so that the checker sees it. */
template <class To, class From>
HPC_UNCHECKED static inline auto ptx_for(const To &, const From &from)
{
    return ptx_as<To>(from);
}

template <class T, class P> HPC_UNCHECKED static inline auto ptx_at(P p, long offset)
{
    return (T *)((uintptr_t)p + offset);
}

template <class T, int N> struct alignas(sizeof(T) * N) ptx_vector {
    T at[N];
};

template <class To, class T, int N>
HPC_UNCHECKED static inline auto ptx_part(const To &, const ptx_vector<T, N> &from, int k)
{
    return ptx_as<To>(from.at[k]);
}

/* Half of a value, from its lowest bits on. */
template <class To, class T>
HPC_UNCHECKED static inline auto ptx_part(const To &, const T &from, int k)
{
    To to{};
    __builtin_memcpy(&to, (const char *)&from + k * (sizeof from / 2), sizeof from / 2);
    return to;
}

/* And back; the last operand is none. */
template <class T, class A, class B>
HPC_UNCHECKED static inline auto ptx_packed(const A &low, const B &high, int)
{
    T to{};
    __builtin_memcpy(&to, &low, sizeof to / 2);
    __builtin_memcpy((char *)&to + sizeof to / 2, &high, sizeof to / 2);
    return to;
}

/* Integers whose sums and products wrap around, floats as they are. */
template <class T> HPC_UNCHECKED static inline auto wrapping(T x)
{
    if constexpr (!std::is_integral<T>::value)
        return x;
    else if constexpr (sizeof x < 8)
        return (unsigned)x;
    else
        return (unsigned long long)x;
}

template <class T> HPC_UNCHECKED static inline auto shifted_left(T x, unsigned n)
{
    return n < sizeof x * 8 ? (T)(wrapping(x) << n) : T{0};
}

template <class T> HPC_UNCHECKED static inline auto shifted_right(T x, unsigned n)
{
    return (T)(n < sizeof x * 8 ? x >> n : x < 0 ? -1 : 0);
}

/* bfe: n bits of x from bit `at` on; of a signed type continued by its sign, which is the last bit
 * of x where the field ends beyond it. */
template <class T> HPC_UNCHECKED static inline auto field_of(T x, unsigned at, unsigned n)
{
    const unsigned width = sizeof x * 8;
    at &= 255, n &= 255;
    unsigned long long bits = 0;
    for (unsigned k = 0; k < width && n > 0; k++) {
        const unsigned last = at + (k < n ? k : n - 1);
        if (k >= n && !std::is_signed<T>::value)
            break;
        const bool beyond = last >= width;
        bits |= (unsigned long long)(beyond ? x < 0 : x >> last & 1) << k;
    }
    return (T)bits;
}

/* bfi: y, with the low n bits of x from bit `at` on. */
template <class T> HPC_UNCHECKED static inline auto field_in(T x, T y, unsigned at, unsigned n)
{
    at &= 255, n &= 255;
    for (unsigned k = 0; k < n && at + k < sizeof y * 8; k++)
        y = (T)((y & ~(T{1} << (at + k))) | (x >> k & 1) << (at + k));
    return y;
}

/* lop3: the bit of `table` that the bits of a, b and c number. */
template <class T> HPC_UNCHECKED static inline auto looked_up(T a, T b, T c, T table)
{
    T bits = 0;
    for (unsigned k = 0; k < 8; k++)
        bits |= table >> k & 1 ? (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c) : 0;
    return bits;
}
} // namespace hpc_dev

#endif
