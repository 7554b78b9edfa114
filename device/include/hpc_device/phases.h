/* Run mode: kernels whose threads meet at barriers alone are loops between them
 * (device/rewrite/phases.h, which looks for the name below). */
#ifndef HPC_DEVICE_PHASES_H
#define HPC_DEVICE_PHASES_H

#ifdef HPC_DEVICE_WATCHED
#include "batches.h"
#endif

enum { kernels_in_phases = 1 };
#if !defined HPC_DEVICE_WATCHED && !defined __clang__ /* which has another place for attributes */
enum { phases_are_inlined = 1 };
#endif

namespace hpc_dev
{
/* A variable of each thread that outlives a barrier: T holds it. Large ones are not on the stack,
 * but in check mode, where kernels' heap is the device's. */
#ifdef HPC_DEVICE_WATCHED
enum { most_on_stack = 1 << 20 };
#if defined __clang__ && __has_attribute(disable_sanitizer_instrumentation)
#define HPC_DEVICE_UNSEEN                                                                          \
    __attribute__((noinline, no_sanitize("thread"), disable_sanitizer_instrumentation))
#else
#define HPC_DEVICE_UNSEEN __attribute__((noinline, no_sanitize("thread")))
#endif
#else
#define HPC_DEVICE_UNSEEN
enum { most_on_stack = 64 };
#endif
template <class T, bool Small = (sizeof(T) <= most_on_stack)> class each_threads
{
    T of[DEV_MOST_THREADS];

  public:
    T &operator[](unsigned thread)
    {
        return of[thread];
    }
#ifdef HPC_DEVICE_WATCHED /* the checker looks at neither */
    template <class M> HPC_DEVICE_UNSEEN M get(unsigned thread, M T::*member) const
    {
        return of[thread].*member;
    }
    template <class M> HPC_DEVICE_UNSEEN void put(unsigned thread, M T::*member, M value)
    {
        of[thread].*member = value;
    }
#endif
};
template <class T> class each_threads<T, false>
{
    T *const of = static_cast<T *>(__builtin_malloc(sizeof(T) * DEV_MOST_THREADS));

  public:
    each_threads() = default;
    each_threads(const each_threads &) = delete;
    each_threads &operator=(const each_threads &) = delete;
    ~each_threads()
    {
        __builtin_free(of);
    }
    T &operator[](unsigned thread)
    {
        return of[thread];
    }
};

/* Those that went into a branch. */
struct threads_marked {
    bool of[DEV_MOST_THREADS];
};

/* Those that returned before a barrier. */
struct threads_left {
    bool of[DEV_MOST_THREADS] = {};
    HPC_DEVICE_UNSEEN void add(unsigned thread)
    {
        of[thread] = true;
    }
    HPC_DEVICE_UNSEEN bool has(unsigned thread) const
    {
        return of[thread];
    }
};

/* How many of `size` threads, from 0 on, have a T below the bound, at least. */
template <class T, class B> static inline unsigned threads_below(unsigned size, B bound)
{
    if constexpr (std::is_integral<T>::value && std::is_integral<B>::value && sizeof(T) >= 4) {
        if (!((T)0 < bound))
            return 0;
        if (!((T)(size - 1) < bound))
            return (unsigned)bound;
    }
    return size;
}

/* What the threads of a block, or those of each row with threadIdx.x below `most`, do from one
 * barrier to the next. No two of them touch the same memory there, one of them writing, but by
 * atomics: so they may go side by side. */
#ifndef HPC_DEVICE_WATCHED
template <class B>
__attribute__((always_inline)) static inline void each_thread(const dim3 size, const unsigned most,
                                                              B body)
{
    /* Of a launch: so that the compiler sees that sums of indices do not wrap. */
    if (size.x > DEV_MOST_THREADS || size.y > DEV_MOST_THREADS || size.z > 64 || most > size.x)
        __builtin_unreachable();
    unsigned first = 0;
    for (unsigned z = 0; z < size.z; z++)
        for (unsigned y = 0; y < size.y; y++, first += size.x)
#pragma GCC ivdep
            for (unsigned x = 0; x < most; x++)
                body(uint3{x, y, z}, first + x);
}
template <class B>
__attribute__((always_inline)) static inline void each_thread(const dim3 size, B body)
{
    each_thread(size, size.x, body);
}
#else
/* One after another, as the schedule has them; the checker is told who runs. */
template <class B>
__attribute__((always_inline)) static inline void each_thread(const dim3, const unsigned most,
                                                              const B &body)
{
    for (unsigned left = dev_loop_begins(most); left > 0; left--) {
        const dev_thread_place at = dev_loop_thread();
        body(uint3{at[0], at[1], at[2]}, at[3]);
    }
}
template <class B>
__attribute__((always_inline)) static inline void each_thread(const dim3 size, const B &body)
{
    each_thread(size, size.x, body);
}

/* The same where the checker has nothing to see. */
template <class B>
__attribute__((always_inline)) static inline void each_unseen(const dim3 size, const unsigned most,
                                                              const B &body)
{
    unsigned first = 0;
    for (unsigned z = 0; z < size.z; z++)
        for (unsigned y = 0; y < size.y; y++, first += size.x)
            for (unsigned x = 0; x < most; x++)
                body(uint3{x, y, z}, first + x);
}
template <class B>
__attribute__((always_inline)) static inline void each_unseen(const dim3 size, const B &body)
{
    each_unseen(size, size.x, body);
}

/* In place of a barrier. */
static inline void all_come(HPC_HERE)
{
    dev_loop_barrier(HPC_SITE, nullptr);
}
static inline void all_come(const threads_left &left, HPC_HERE)
{
    dev_loop_barrier(HPC_SITE, left.of);
}
#endif

/* What the threads of a block bring to one shuffle or vote of their warps, to which all come. A
 * warp more at each end may be read, and is nobody's. */
class warp_values
{
    alignas(8) char of[8 * (DEV_MOST_THREADS + 64)];
    unsigned ballots[DEV_MOST_THREADS / 32];

  public:
    template <class T> HPC_DEVICE_UNSEEN void put(unsigned thread, T value)
    {
        static_assert(sizeof(T) <= 8, "a warp exchanges values of up to 8 bytes");
        reinterpret_cast<T *>(of)[32 + (int)thread] = value;
    }
    template <class T> HPC_DEVICE_UNSEEN T get(int thread) const
    {
        return reinterpret_cast<const T *>(of)[32 + thread];
    }
    /* The same, which the compiler does not read as one of many: gathering them takes longer. */
    template <class T> HPC_DEVICE_UNSEEN T get_one(unsigned thread) const
    {
        T value;
        __builtin_memcpy(&value, of + (32 + thread) * sizeof(T), sizeof(T));
        return value;
    }
    void put_vote(unsigned thread, int predicate)
    {
        of[thread] = predicate != 0;
    }
    /* Of `threads` threads: their votes, a warp each. */
    void count(unsigned threads)
    {
        for (unsigned first = 0; first < threads; first += 32) {
            unsigned ballot = 0;
            for (unsigned k = 0; k < 32 && first + k < threads; k++)
                ballot |= (unsigned)of[first + k] << k;
            ballots[first / 32] = ballot;
        }
    }
    unsigned ballot(unsigned thread) const
    {
        return ballots[thread / 32];
    }
};

/* A value of the type of an expression, which is not evaluated once more. */
template <class T> static inline typename std::decay<T>::type like()
{
    return {};
}

/* One thread of `threads`, and CUDA's calls of it when all have put down their values; the value
 * that is given here says only of which type they are. Lanes that are not there give 0. */
struct warp_lane {
    const warp_values &values;
    const unsigned thread, threads;
    const bool *const here = nullptr; /* where not all came, those that did */

    unsigned lane() const
    {
        return thread % 32;
    }
    unsigned named(unsigned mask) const
    {
        return mask | 1u << lane();
    }
    template <class T>
    T if_there(unsigned mask, unsigned source, T value, bool down, const dev_site &site) const
    {
        const unsigned other = (thread & ~31u) + source;
#ifdef HPC_DEVICE_WATCHED
        if (__builtin_expect(other >= threads, 0))
            dev_loop_absent(site, thread, source, down);
#else
        (void)down, (void)site;
#endif
        const bool there = (named(mask) >> source & 1) & (other < threads); /* without a branch */
        return there && (!here || here[other]) ? value : T();
    }
    /* Of a lane so far away, or one's own. */
    template <class T>
    T from_afar(unsigned mask, unsigned source, int away, bool down, const dev_site &site) const
    {
        return if_there(mask, source, values.get<T>((int)thread + (source == lane() ? 0 : away)),
                        down, site);
    }
    template <class T> T from(unsigned mask, unsigned source, const dev_site &site) const
    {
        return if_there(mask, source, values.get_one<T>((thread & ~31u) + source), false, site);
    }
    template <class T>
    T __shfl_sync(unsigned mask, T, int from_lane, int width = 32, HPC_HERE) const
    {
        return from<T>(mask, source(lane(), from_lane, width, true), HPC_SITE);
    }
    template <class T>
    T __shfl_up_sync(unsigned mask, T, unsigned delta, int width = 32, HPC_HERE) const
    {
        return from_afar<T>(mask, source_up(lane(), delta, width), delta < 32 ? -(int)delta : 0,
                            false, HPC_SITE);
    }
    template <class T>
    T __shfl_down_sync(unsigned mask, T, unsigned delta, int width = 32, HPC_HERE) const
    {
        return from_afar<T>(mask, source_down(lane(), delta, width), delta < 32 ? (int)delta : 0,
                            true, HPC_SITE);
    }
    template <class T>
    T __shfl_xor_sync(unsigned mask, T, int lanes, int width = 32, HPC_HERE) const
    {
        return from<T>(mask, source_xor(lane(), lanes, width), HPC_SITE);
    }
    unsigned __ballot_sync(unsigned mask, int) const
    {
        return values.ballot(thread) & named(mask);
    }
    int __any_sync(unsigned mask, int) const
    {
        return __ballot_sync(mask, 0) != 0;
    }
    int __all_sync(unsigned mask, int) const
    {
        const unsigned first = thread - lane(), left = threads - first;
        const unsigned here = left < 32 ? (1u << left) - 1 : ~0u;
        return (~values.ballot(thread) & named(mask) & here) == 0;
    }
};
} // namespace hpc_dev
#undef HPC_DEVICE_UNSEEN

#endif
