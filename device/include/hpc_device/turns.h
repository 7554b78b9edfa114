/* Volatile accesses to shared memory: the lanes of a warp that are at one take turns, each an
 * access, as old code for warps without barriers relies on. device/rewrite writes
 * turns<LOOPS>(s, LINE) for a name s that is declared volatile somewhere; what is not volatile
 * passes through. In check mode all does: there a race is reported instead. */
#ifndef HPC_DEVICE_TURNS_H
#define HPC_DEVICE_TURNS_H

namespace hpc_dev
{
#ifndef DEV_CHECK
/* Before each access. Threads of a plain kernel, who have no worker, have no shared memory. */
struct turn {
    int line;
    const int
        *loops; /* first and last lines of the function and of loops around, outer ones first */
    int n_loops;
};

static inline void take_turn(const volatile void *p, const turn &at)
{
    const dev_worker *w = dev_self;
    if (w && (uintptr_t)p - (uintptr_t)w->shared < w->shared_bytes)
        dev_warp_turn(at.line, at.loops, at.n_loops);
}

template <class T> struct volatile_place {
    volatile T *p;
    turn at;

    operator T() const
    {
        take_turn(p, at);
        return *p;
    }
    T operator=(T value) const
    {
        take_turn(p, at);
        *p = value;
        return value;
    }
    T operator=(const volatile_place &other) const
    {
        return *this = (T)other;
    }
    volatile T *operator&() const
    {
        return p;
    }
#define HPC_ASSIGN(sign)                                                                           \
    template <class U> T operator sign##=(const U &value) const                                    \
    {                                                                                              \
        return *this = (T)((T) * this sign value);                                                 \
    }
    HPC_ASSIGN(+)
    HPC_ASSIGN(-)
    HPC_ASSIGN(*)
    HPC_ASSIGN(/)
    HPC_ASSIGN(%)
    HPC_ASSIGN(&)
    HPC_ASSIGN(|)
    HPC_ASSIGN(^)
    HPC_ASSIGN(<<)
    HPC_ASSIGN(>>)
#undef HPC_ASSIGN
    T operator++() const
    {
        return *this += 1;
    }
    T operator--() const
    {
        return *this -= 1;
    }
    T operator++(int) const
    {
        T before = *this;
        *this = (T)(before + 1);
        return before;
    }
    T operator--(int) const
    {
        T before = *this;
        *this = (T)(before - 1);
        return before;
    }
};

template <class T> struct volatile_pointer {
    volatile T *p;
    turn at;

    volatile_place<T> operator[](ptrdiff_t i) const
    {
        return {p + i, at};
    }
    volatile_place<T> operator*() const
    {
        return {p, at};
    }
    operator volatile T *() const
    {
        return p;
    }
    volatile_pointer operator+(ptrdiff_t i) const
    {
        return {p + i, at};
    }
    volatile_pointer operator-(ptrdiff_t i) const
    {
        return {p - i, at};
    }
};

template <class Row> struct volatile_rows {
    Row *p;
    turn at;

    auto operator[](ptrdiff_t i) const;
};

/* Whether elements of type E take turns: const ones do not change. */
template <class E>
constexpr bool takes_turns =
    std::is_volatile<E>::value && !std::is_const<E>::value && std::is_arithmetic<E>::value;
#endif

#ifndef DEV_CHECK
template <class X> static inline decltype(auto) turns_at(X &&x, const turn &at)
{
    using A = typename std::remove_reference<X>::type;
    using inner = typename std::remove_all_extents<A>::type;
    using pointed = typename std::remove_pointer<A>::type;
    if constexpr (std::rank<A>::value > 1 && takes_turns<inner>)
        return volatile_rows<typename std::remove_extent<A>::type>{x, at};
    else if constexpr (std::rank<A>::value == 1 && takes_turns<inner>)
        return volatile_pointer<typename std::remove_volatile<inner>::type>{x, at};
    else if constexpr (std::is_pointer<A>::value && takes_turns<pointed>)
        return volatile_pointer<typename std::remove_volatile<pointed>::type>{x, at};
    else
        return static_cast<X &&>(x);
}

template <class Row> inline auto volatile_rows<Row>::operator[](ptrdiff_t i) const
{
    return turns_at(p[i], at);
}

/* What stands at a place, where an access is only read. */
template <class X> struct place_value;
template <class T> struct place_value<volatile_place<T>> {
    using type = T;
};
template <class X, class = void> constexpr bool is_place = false;
template <class X> constexpr bool is_place<X, std::void_t<typename place_value<X>::type>> = true;

template <int... Lines> struct lines {
    static constexpr int at[sizeof...(Lines) + 1] = {Lines...};
};
#endif

template <int... Loops, class X> static inline decltype(auto) turns(X &&x, int line)
{
    (void)line;
#ifndef DEV_CHECK
    return turns_at(static_cast<X &&>(x), turn{line, lines<Loops...>::at, sizeof...(Loops) / 2});
#else
    return static_cast<X &&>(x);
#endif
}

template <class X> static inline decltype(auto) value_of(X &&x)
{
#ifndef DEV_CHECK
    if constexpr (is_place<typename std::decay<X>::type>)
        return static_cast<typename place_value<typename std::decay<X>::type>::type>(x);
    else
#endif
        return static_cast<X &&>(x);
}
} // namespace hpc_dev

#endif
