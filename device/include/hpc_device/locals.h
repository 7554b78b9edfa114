/* Check mode: arrays of a thread's own that nobody has given values (device/rewrite/locals.h). */
#ifndef HPC_DEVICE_LOCALS_H
#define HPC_DEVICE_LOCALS_H

namespace hpc_dev
{
/* As a float a NaN. */
enum : uint32_t { unset_word = 0x7fb5c3a9 };

template <class T>
constexpr bool may_be_unset = std::is_arithmetic<T>::value &&
                              (sizeof(T) == sizeof(uint32_t) || sizeof(T) == sizeof(uint64_t));

template <class T> union looked_at {
    uint32_t word[2];
    T value;
};

template <class T> static inline auto unset_value()
{
    looked_at<T> w = {{unset_word, unset_word}};
    return w.value;
}

template <class A> static inline void unset_array(A &array)
{
    using element = typename std::remove_all_extents<A>::type;
    if constexpr (may_be_unset<element>) {
        element *const first = (element *)&array;
        for (size_t i = 0; i < sizeof array / sizeof *first; i++)
            first[i] = unset_value<element>();
    } else {
        (void)array;
    }
}

/* All of a struct's words: of its members only arrays' elements are looked at. */
template <class T> static inline void unset_struct(T &all)
{
    if constexpr (std::is_trivial<T>::value && sizeof(T) % sizeof(uint32_t) == 0 &&
                  alignof(T) % sizeof(uint32_t) == 0) {
        typedef uint32_t __attribute__((may_alias)) any_word;
        any_word *const first = (any_word *)&all;
        for (size_t i = 0; i < sizeof all / sizeof *first; i++)
            first[i] = unset_word;
    } else {
        (void)all;
    }
}

/* The value of an element that is an operand; one that is none of numbers stays what it is. */
template <class T, std::enable_if_t<may_be_unset<T>, int> = 0>
static inline T operand(T value, const char *name, HPC_HERE)
{
    looked_at<T> w = {{0, 0}};
    w.value = value;
    if (__builtin_expect(w.word[0] == unset_word, 0) &&
        (sizeof(T) < sizeof w || w.word[1] == unset_word))
        w.word[0] = check_unset(w.word[0], name, file, line);
    return w.value;
}
template <class T,
          std::enable_if_t<!may_be_unset<std::remove_cv_t<std::remove_reference_t<T>>>, int> = 0>
static inline T &&operand(T &&value, const char *)
{
    return static_cast<T &&>(value);
}

/* The address of a device variable, which device code stores. */
template <class T> static inline T *taken(T *p)
{
    dev_symbol_taken((const void *)p);
    return p;
}

/* printf() of a kernel, where its result is looked at. */
template <class... T> static inline int printed(const char *format, const T &...value)
{
    if (!format)
        return -1;
    ::printf(format, value...);
    return (int)sizeof...(value);
}
} // namespace hpc_dev

#endif
