/* Check mode: numbers of a row of threads, which grow from thread to thread (batches.h). */
#ifndef HPC_DEVICE_SOME_H
#define HPC_DEVICE_SOME_H

#include <limits>
#include <type_traits>

#include "../../runtime/loops.h"

namespace hpc_dev
{
#if defined __clang__ && __has_attribute(disable_sanitizer_instrumentation)
#define HPC_DEVICE_ALONE __attribute__((no_sanitize("thread"), disable_sanitizer_instrumentation))
#else
#define HPC_DEVICE_ALONE __attribute__((no_sanitize("thread")))
#endif
#define HPC_DEVICE_SEEN HPC_DEVICE_ALONE __attribute__((always_inline))

/* Beyond it sums and differences might not fit. */
constexpr long most_of_some = 1L << 48;

/* A number of each thread: of an integer type T it is `first` in the first thread, and grows by
 * `step` from thread to thread, where it is known. */
template <class T> struct some;
template <class T> struct is_some : std::false_type {
};
template <class T> struct is_some<some<T>> : std::true_type {
};

HPC_DEVICE_SEEN static inline long last_of(long first, long step)
{
    return first + step * (long)(check_batch_threads.count - 1);
}

template <class T> HPC_DEVICE_SEEN static inline void fit(long value)
{
    const bool fits = std::is_same<T, bool>::value ? value == 0 || value == 1
                      : sizeof(T) >= sizeof(long)
                          ? std::is_signed<T>::value || value >= 0
                          : value >= (long)std::numeric_limits<T>::min() &&
                                value <= (long)std::numeric_limits<T>::max();
    if (!fits || value > most_of_some || value < -most_of_some)
        check_batch_odd();
}

template <class T> struct some {
    long first = 0, step = 0;
    bool known = false;

    HPC_DEVICE_SEEN some()
    {
    }
    HPC_DEVICE_SEEN some(long f, long s, bool k) : first(f), step(s), known(k)
    {
        if (known) {
            fit<T>(first);
            fit<T>(last_of(first, step));
        }
    }
    template <class U, class = typename std::enable_if<std::is_arithmetic<U>::value ||
                                                       std::is_enum<U>::value>::type>
    HPC_DEVICE_SEEN some(U value)
        : some((long)value, 0, std::is_integral<T>::value && !std::is_floating_point<U>::value)
    {
    }
    template <class U>
    HPC_DEVICE_SEEN some(const some<U> &o)
        : some(o.first, o.step, o.known && std::is_integral<T>::value)
    {
    }
    HPC_DEVICE_SEEN explicit operator bool() const;
#define HPC_DEVICE_CHANGES(op)                                                                     \
    template <class U> HPC_DEVICE_SEEN some &operator op##=(const U &o)                            \
    {                                                                                              \
        return *this = some(*this op o);                                                           \
    }
    HPC_DEVICE_CHANGES(+)
    HPC_DEVICE_CHANGES(-)
    HPC_DEVICE_CHANGES(*)
    HPC_DEVICE_CHANGES(/)
    HPC_DEVICE_CHANGES(%)
    HPC_DEVICE_CHANGES(&)
    HPC_DEVICE_CHANGES(|)
    HPC_DEVICE_CHANGES(^)
    HPC_DEVICE_CHANGES(<<)
    HPC_DEVICE_CHANGES(>>)
#undef HPC_DEVICE_CHANGES
    HPC_DEVICE_SEEN some &operator++()
    {
        return *this += 1;
    }
    HPC_DEVICE_SEEN some &operator--()
    {
        return *this -= 1;
    }
    HPC_DEVICE_SEEN some operator++(int)
    {
        const some before = *this;
        *this += 1;
        return before;
    }
    HPC_DEVICE_SEEN some operator--(int)
    {
        const some before = *this;
        *this -= 1;
        return before;
    }
};

/* The type of an operand, and of the result of two. */
template <class T> struct of_some {
    typedef decltype(+T()) type;
};
template <class T> struct of_some<some<T>> {
    typedef decltype(+T()) type;
};
template <class A, class B>
using joint = decltype(typename of_some<A>::type() + typename of_some<B>::type());
template <class A, class B>
using if_some = typename std::enable_if<(is_some<A>::value || is_some<B>::value) &&
                                        !(std::is_pointer<A>::value || std::is_pointer<B>::value)>;

/* OP of two numbers that are known and, but for sums, differences and products with one of them,
 * the same for all threads. */
#define HPC_DEVICE_OPERATOR(op, R, FIRST, STEP, CAN)                                               \
    template <class A, class B, class = typename if_some<A, B>::type>                              \
    HPC_DEVICE_SEEN static inline auto operator op(const A &x, const B &y)                         \
    {                                                                                              \
        typedef joint<A, B> common;                                                                \
        [[maybe_unused]] typedef typename of_some<A>::type left;                                   \
        const some<common> a(x), b(y);                                                             \
        long first = 0, step = 0;                                                                  \
        if (!std::is_integral<common>::value || !a.known || !b.known) {                            \
            if (std::is_integral<common>::value && (*#op == '/' || *#op == '%'))                   \
                check_batch_odd();                                                                 \
            return some<R>();                                                                      \
        }                                                                                          \
        if (!(CAN) || (FIRST) || (STEP))                                                           \
            check_batch_odd();                                                                     \
        return some<R>(first, step, true);                                                         \
    }
#define HPC_DEVICE_UNIFORM(op, R, MORE)                                                            \
    HPC_DEVICE_OPERATOR(op, R, (first = a.first op b.first, false), false,                         \
                        a.step == 0 && b.step == 0 && (MORE))
HPC_DEVICE_OPERATOR(+, common, __builtin_add_overflow(a.first, b.first, &first),
                    __builtin_add_overflow(a.step, b.step, &step), true)
HPC_DEVICE_OPERATOR(-, common, __builtin_sub_overflow(a.first, b.first, &first),
                    __builtin_sub_overflow(a.step, b.step, &step), true)
HPC_DEVICE_OPERATOR(*, common, __builtin_mul_overflow(a.first, b.first, &first),
                    (a.step == 0 ? __builtin_mul_overflow(a.first, b.step, &step)
                                 : __builtin_mul_overflow(b.first, a.step, &step)),
                    a.step == 0 || b.step == 0)
HPC_DEVICE_UNIFORM(/, common, b.first != 0)
HPC_DEVICE_UNIFORM(%, common, b.first != 0)
HPC_DEVICE_UNIFORM(&, common, true)
HPC_DEVICE_UNIFORM(|, common, true)
HPC_DEVICE_UNIFORM(^, common, true)
HPC_DEVICE_UNIFORM(<<, left, a.first >= 0 && b.first >= 0 && b.first < 32)
HPC_DEVICE_UNIFORM(>>, left, b.first >= 0 && b.first < 32)
#undef HPC_DEVICE_OPERATOR
#undef HPC_DEVICE_UNIFORM
template <class T> HPC_DEVICE_SEEN static inline auto operator-(const some<T> &x)
{
    return 0 - x;
}

/* What all threads say of a comparison, by the difference; the threads part where they do not. */
template <class F> HPC_DEVICE_SEEN static inline bool all_say(long first, long step, F holds)
{
    const long n = check_batch_threads.count;
    const bool says = holds(first);
    long k = 1;
    if (step == 0 || n == 1)
        return says;
    if (holds(0) != holds(1) && holds(0) != holds(-1)) { /* == and != */
        if (first != 0 && (first % step != 0 || (k = -first / step) < 0 || k >= n))
            return says;
    } else {
        if (holds(first + step * (n - 1)) == says)
            return says;
        for (long high = n - 1; k < high;) { /* the first that says something else */
            const long middle = (k + high) / 2;
            if (holds(first + step * middle) == says)
                k = middle + 1;
            else
                high = middle;
        }
    }
    check_batch_parts(check_batch_threads.first + (unsigned)k);
}

#define HPC_DEVICE_COMPARES(op)                                                                    \
    template <class A, class B, class = typename if_some<A, B>::type>                              \
    HPC_DEVICE_SEEN static inline bool operator op(const A &x, const B &y)                         \
    {                                                                                              \
        const some<joint<A, B>> a(x), b(y);                                                        \
        if (!a.known || !b.known)                                                                  \
            check_batch_odd();                                                                     \
        return all_say(a.first - b.first, a.step - b.step,                                         \
                       [](long d) HPC_DEVICE_ALONE { return d op 0; });                            \
    }
HPC_DEVICE_COMPARES(<)
HPC_DEVICE_COMPARES(<=)
HPC_DEVICE_COMPARES(>)
HPC_DEVICE_COMPARES(>=)
HPC_DEVICE_COMPARES(==)
HPC_DEVICE_COMPARES(!=)
#undef HPC_DEVICE_COMPARES
template <class T> HPC_DEVICE_SEEN some<T>::operator bool() const
{
    return *this != 0;
}
} // namespace hpc_dev

#endif
