/* Atomic functions. In check mode one worker runs all threads, and the checker is told of each. */
#ifndef HPC_DEVICE_ATOMICS_H
#define HPC_DEVICE_ATOMICS_H

#ifdef DEV_CHECK
#define HPC_ATOMIC                HPC_UNCHECKED __attribute__((noinline)) static
#define HPC_ATOMIC_SEEN(p, blind) dev_atomic(p, sizeof *(p) | (blind), __builtin_return_address(0))
#else
#define HPC_ATOMIC                static inline
#define HPC_ATOMIC_SEEN(p, blind) ((void)0)
#endif

namespace hpc_dev
{
template <size_t N> struct bits_type;
template <> struct bits_type<2> {
    using type = uint16_t;
};
template <> struct bits_type<4> {
    using type = uint32_t;
};
template <> struct bits_type<8> {
    using type = uint64_t;
};

/* *p = f(*p), and the value before. */
template <class T, class F> HPC_UNCHECKED static inline auto atomic_update(T *p, F f)
{
    using bits = typename bits_type<sizeof(T)>::type;
    bits *q = reinterpret_cast<bits *>(p);
    bits before = __atomic_load_n(q, __ATOMIC_RELAXED);
    for (;;) {
        bits after = bits_as<bits>((T)f(bits_as<T>(before)));
        if (__atomic_compare_exchange_n(q, &before, after, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return bits_as<T>(before);
    }
}
} // namespace hpc_dev

/* Half's are defined by cuda_fp16.h. Their attributes stand here, in what comes before a source:
 * the grader refuses a source that has such words itself. */
struct __half;
struct __half2;
__attribute__((unused)) HPC_ATOMIC __half atomicAdd(__half *p, __half v);
__attribute__((unused)) HPC_ATOMIC __half2 atomicAdd(__half2 *p, __half2 v);

/* One function for a type, with its _block and _system kin; blind ones store something whatever was
 * there. */
#define HPC_ATOMIC_ONE(blind, name, type, body)                                                    \
    HPC_ATOMIC type name(type *p, type v)                                                          \
    {                                                                                              \
        HPC_ATOMIC_SEEN(p, blind);                                                                 \
        body;                                                                                      \
    }
#define HPC_ATOMIC_KIN(blind, name, type, body)                                                    \
    HPC_ATOMIC_ONE(blind, name, type, body)                                                        \
    HPC_ATOMIC_ONE((blind) | DEV_SCOPED, name##_block, type, body)                                 \
    HPC_ATOMIC_ONE(blind, name##_system, type, body)
#define HPC_ATOMIC_ALL(...)   HPC_ATOMIC_KIN(0, __VA_ARGS__)
#define HPC_ATOMIC_BLIND(...) HPC_ATOMIC_KIN(DEV_BLIND, __VA_ARGS__)
#define HPC_FETCH(what)       return __atomic_fetch_##what(p, v, __ATOMIC_RELAXED)
#define HPC_UPDATE(type, expression)                                                               \
    return hpc_dev::atomic_update(p, [v](type old) HPC_UNCHECKED -> type { return expression; })
typedef unsigned long long hpc_ull;

HPC_ATOMIC_BLIND(atomicAdd, int, HPC_FETCH(add))
HPC_ATOMIC_BLIND(atomicAdd, unsigned, HPC_FETCH(add))
HPC_ATOMIC_BLIND(atomicAdd, hpc_ull, HPC_FETCH(add))
HPC_ATOMIC_BLIND(atomicAdd, float, HPC_UPDATE(float, old + v))
HPC_ATOMIC_BLIND(atomicAdd, double, HPC_UPDATE(double, old + v))
HPC_ATOMIC_BLIND(atomicSub, int, HPC_FETCH(sub))
HPC_ATOMIC_BLIND(atomicSub, unsigned, HPC_FETCH(sub))
HPC_ATOMIC_BLIND(atomicExch, int, return __atomic_exchange_n(p, v, __ATOMIC_RELAXED))
HPC_ATOMIC_BLIND(atomicExch, unsigned, return __atomic_exchange_n(p, v, __ATOMIC_RELAXED))
HPC_ATOMIC_BLIND(atomicExch, hpc_ull, return __atomic_exchange_n(p, v, __ATOMIC_RELAXED))
HPC_ATOMIC_BLIND(atomicExch, float, (void)0; HPC_UPDATE(float, ((void)old, v)))
HPC_ATOMIC_ALL(atomicMin, int, HPC_UPDATE(int, old < v ? old : v))
HPC_ATOMIC_ALL(atomicMin, unsigned, HPC_UPDATE(unsigned, old < v ? old : v))
HPC_ATOMIC_ALL(atomicMin, long long, HPC_UPDATE(long long, old < v ? old : v))
HPC_ATOMIC_ALL(atomicMin, hpc_ull, HPC_UPDATE(hpc_ull, old < v ? old : v))
HPC_ATOMIC_ALL(atomicMax, int, HPC_UPDATE(int, old > v ? old : v))
HPC_ATOMIC_ALL(atomicMax, unsigned, HPC_UPDATE(unsigned, old > v ? old : v))
HPC_ATOMIC_ALL(atomicMax, long long, HPC_UPDATE(long long, old > v ? old : v))
HPC_ATOMIC_ALL(atomicMax, hpc_ull, HPC_UPDATE(hpc_ull, old > v ? old : v))
HPC_ATOMIC_BLIND(atomicInc, unsigned, HPC_UPDATE(unsigned, old >= v ? 0 : old + 1))
HPC_ATOMIC_BLIND(atomicDec, unsigned, HPC_UPDATE(unsigned, old == 0 || old > v ? v : old - 1))
HPC_ATOMIC_ALL(atomicAnd, int, HPC_FETCH(and))
HPC_ATOMIC_ALL(atomicAnd, unsigned, HPC_FETCH(and))
HPC_ATOMIC_ALL(atomicAnd, hpc_ull, HPC_FETCH(and))
HPC_ATOMIC_ALL(atomicOr, int, HPC_FETCH(or))
HPC_ATOMIC_ALL(atomicOr, unsigned, HPC_FETCH(or))
HPC_ATOMIC_ALL(atomicOr, hpc_ull, HPC_FETCH(or))
HPC_ATOMIC_ALL(atomicXor, int, HPC_FETCH(xor))
HPC_ATOMIC_ALL(atomicXor, unsigned, HPC_FETCH(xor))
HPC_ATOMIC_ALL(atomicXor, hpc_ull, HPC_FETCH(xor))

#define HPC_ATOMIC_CAS(scope, name, type)                                                          \
    HPC_ATOMIC type name(type *p, type expected, type v)                                           \
    {                                                                                              \
        HPC_ATOMIC_SEEN(p, scope);                                                                 \
        __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);   \
        return expected;                                                                           \
    }
#define HPC_ATOMIC_CAS_ALL(type)                                                                   \
    HPC_ATOMIC_CAS(0, atomicCAS, type)                                                             \
    HPC_ATOMIC_CAS(DEV_SCOPED, atomicCAS_block, type) HPC_ATOMIC_CAS(0, atomicCAS_system, type)
HPC_ATOMIC_CAS_ALL(int)
HPC_ATOMIC_CAS_ALL(unsigned)
HPC_ATOMIC_CAS_ALL(hpc_ull)
HPC_ATOMIC_CAS_ALL(unsigned short)
#undef HPC_ATOMIC_CAS_ALL
#undef HPC_ATOMIC_CAS
#undef HPC_ATOMIC_ALL
#undef HPC_ATOMIC_BLIND
#undef HPC_ATOMIC_KIN

#endif
