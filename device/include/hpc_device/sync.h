/* Barriers, fences, warp shuffles and votes. */
#ifndef HPC_DEVICE_SYNC_H
#define HPC_DEVICE_SYNC_H

#include <string.h>

static constexpr int warpSize = 32;

HPC_UNCHECKED __attribute__((always_inline)) static inline void __syncthreads(HPC_HERE)
{
#if HPC_DEVICE_INLINE
    /* dev_barrier, without a call: the compiler keeps only what it needs behind the barrier. */
    (void)file, (void)line;
    dev_worker *w = dev_self;
    dev_fiber *me = w->current;
    me->index = w->thread_index;
    me->thread = w->thread;
    hpc_dev::go(w, me, me->next);
    w->thread_index = me->index;
    w->thread = me->thread;
#else
    dev_barrier(HPC_SITE);
#endif
}

static inline int __syncthreads_count(int predicate, HPC_HERE)
{
    return dev_barrier_votes(predicate, HPC_SITE).sum;
}

static inline int __syncthreads_and(int predicate, HPC_HERE)
{
    return dev_barrier_votes(predicate, HPC_SITE).all;
}

static inline int __syncthreads_or(int predicate, HPC_HERE)
{
    return dev_barrier_votes(predicate, HPC_SITE).any;
}

static inline void __threadfence()
{
    dev_fence();
}
/* The threads of a block are on one OS thread: the compiler alone must not reorder. */
static inline void __threadfence_block()
{
#ifdef DEV_CHECK
    dev_fence();
#else
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
#endif
}
static inline void __threadfence_system()
{
    dev_fence();
}

static inline void __syncwarp(unsigned mask = 0xffffffffu, HPC_HERE)
{
    dev_warp_sync(mask, HPC_SITE);
}

static inline unsigned __activemask(HPC_HERE)
{
    return dev_warp_active(HPC_SITE);
}

static inline int __all_sync(unsigned mask, int predicate, HPC_HERE)
{
    return dev_warp_ballot(mask, !predicate, HPC_SITE) == 0;
}

static inline int __any_sync(unsigned mask, int predicate, HPC_HERE)
{
    return dev_warp_ballot(mask, predicate, HPC_SITE) != 0;
}

static inline unsigned __ballot_sync(unsigned mask, int predicate, HPC_HERE)
{
    return dev_warp_ballot(mask, predicate, HPC_SITE);
}

namespace hpc_dev
{
/* A number or a pointer as it lies in memory, without a copy that the checker would be told of. */
template <class T> union word {
    uint64_t bits;
    T value;
};

/* Values of up to 8 bytes as they lie in memory, the rest 0. */
template <class T> static inline auto bits_of(const T &value)
{
    static_assert(sizeof(T) <= 8 && std::is_trivially_copyable<T>::value,
                  "a warp exchanges values of up to 8 bytes");
    if constexpr (std::is_scalar<T>::value) {
        word<T> w = {0};
        w.value = value;
        return w.bits;
    } else {
        uint64_t bits = 0;
        memcpy(&bits, &value, sizeof value);
        return bits;
    }
}

template <class T> static inline auto from_bits(uint64_t bits)
{
    if constexpr (std::is_scalar<T>::value) {
        const word<T> w = {bits};
        return w.value;
    } else {
        T value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
}

/* The lane that a shuffle of lane `me` reads: `wanted` where it stays in the segment of `width`
 * lanes. */
static inline unsigned source(unsigned me, int wanted, int width, bool inside)
{
    return inside ? ((me & ~(unsigned)(width - 1)) | ((unsigned)wanted & (unsigned)(width - 1)))
                  : me;
}
static inline unsigned source_up(unsigned me, unsigned delta, int width)
{
    const int wanted = (int)(me & (unsigned)(width - 1)) - (int)delta;
    return source(me, wanted, width, wanted >= 0);
}
static inline unsigned source_down(unsigned me, unsigned delta, int width)
{
    const int wanted = (int)(me & (unsigned)(width - 1)) + (int)delta;
    return source(me, wanted, width, wanted < width);
}
/* As on a GPU, lanes of segments behind one's own are out of reach. */
static inline unsigned source_xor(unsigned me, int lanes, int width)
{
    const unsigned wanted = me ^ (unsigned)lanes;
    return wanted < (me & ~(unsigned)(width - 1)) + (unsigned)width ? wanted : me;
}

template <class T>
static inline T shuffle(unsigned mask, const T &value, unsigned from, dev_site site)
{
    if constexpr (sizeof(T) <= 8) {
        return from_bits<T>(dev_warp_shuffle(mask, bits_of(value), from, site));
    } else { /* groups exchange larger values: eight bytes a meeting */
        static_assert(sizeof(T) <= 32 && std::is_trivially_copyable<T>::value,
                      "a group exchanges values of up to 32 bytes");
        T result;
        for (size_t i = 0; i < sizeof(T); i += 8) {
            uint64_t bits = 0;
            const size_t n = sizeof(T) - i < 8 ? sizeof(T) - i : 8;
            memcpy(&bits, reinterpret_cast<const char *>(&value) + i, n);
            bits = dev_warp_shuffle(mask, bits, from, site);
            memcpy(reinterpret_cast<char *>(&result) + i, &bits, n);
        }
        return result;
    }
}
} // namespace hpc_dev

template <class T>
static inline T __shfl_sync(unsigned mask, T value, int from, int width = 32, HPC_HERE)
{
    return hpc_dev::shuffle(mask, value, hpc_dev::source(hpc_dev::lane(), from, width, true),
                            HPC_SITE);
}

template <class T>
static inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, HPC_HERE)
{
    return hpc_dev::shuffle(mask, value, hpc_dev::source_up(hpc_dev::lane(), delta, width),
                            HPC_SITE);
}

template <class T>
static inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, HPC_HERE)
{
    return hpc_dev::shuffle(mask, value,
                            hpc_dev::source_down(hpc_dev::lane(), delta, width) | DEV_SHUFFLE_DOWN,
                            HPC_SITE);
}

template <class T>
static inline T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32, HPC_HERE)
{
    return hpc_dev::shuffle(mask, value, hpc_dev::source_xor(hpc_dev::lane(), lanes, width),
                            HPC_SITE);
}

template <class T> static inline unsigned __match_any_sync(unsigned mask, T value, HPC_HERE)
{
    uint64_t values[32], mine = hpc_dev::bits_of(value);
    unsigned group = dev_warp_gather(mask, mine, values, HPC_SITE), same = 0;
    for (unsigned k = 0; k < 32; k++)
        if ((group >> k & 1) && values[k] == mine)
            same |= 1u << k;
    return same;
}

template <class T>
static inline unsigned __match_all_sync(unsigned mask, T value, int *predicate, HPC_HERE)
{
    uint64_t values[32], mine = hpc_dev::bits_of(value);
    unsigned group = dev_warp_gather(mask, mine, values, HPC_SITE);
    *predicate = 1;
    for (unsigned k = 0; k < 32; k++)
        *predicate &= !(group >> k & 1) || values[k] == mine;
    return *predicate ? mask : 0;
}

namespace hpc_dev
{
template <class T, class F> static inline auto reduce(unsigned mask, T value, F join, dev_site site)
{
    uint64_t values[32];
    unsigned group = dev_warp_gather(mask, bits_of(value), values, site);
    bool first = true;
    T result = value;
    for (unsigned k = 0; k < 32; k++)
        if (group >> k & 1) {
            T other = from_bits<T>(values[k]);
            result = first ? other : join(result, other);
            first = false;
        }
    return result;
}
} // namespace hpc_dev

#define HPC_WARP_REDUCE(name, type, expression)                                                    \
    static inline type name(unsigned mask, type value, HPC_HERE)                                   \
    {                                                                                              \
        return hpc_dev::reduce(                                                                    \
            mask, value, [](type a, type b) -> type { return expression; }, HPC_SITE);             \
    }
HPC_WARP_REDUCE(__reduce_add_sync, unsigned, a + b)
HPC_WARP_REDUCE(__reduce_add_sync, int, (int)((unsigned)a + (unsigned)b))
HPC_WARP_REDUCE(__reduce_min_sync, unsigned, a < b ? a : b)
HPC_WARP_REDUCE(__reduce_min_sync, int, a < b ? a : b)
HPC_WARP_REDUCE(__reduce_max_sync, unsigned, a > b ? a : b)
HPC_WARP_REDUCE(__reduce_max_sync, int, a > b ? a : b)
HPC_WARP_REDUCE(__reduce_and_sync, unsigned, a &b)
HPC_WARP_REDUCE(__reduce_or_sync, unsigned, a | b)
HPC_WARP_REDUCE(__reduce_xor_sync, unsigned, a ^ b)
#undef HPC_WARP_REDUCE

#endif
