/* What device/rewrite writes into a program: launches, kernels, shared variables, threadIdx. */
#ifndef HPC_DEVICE_KERNEL_H
#define HPC_DEVICE_KERNEL_H

#include "../../runtime/switch.h"
#include "arguments.h"
#include "rounds.h"

#include <type_traits>

#if defined(DEV_CHECK) || defined(DEV_ASAN)
#define HPC_DEVICE_INLINE 0 /* barriers and threads go through the runtime */
#else
#define HPC_DEVICE_INLINE 1
#endif

namespace hpc_dev
{
using kernel = dev_kernel;
using shared_variable = dev_shared_variable;
using symbol = dev_symbol;
[[maybe_unused]] static const char unit = 0; /* each file of a program has its own */
constexpr size_t most_constant = DEV_MOST_CONSTANT;
template <class T> using element = typename std::remove_extent<T>::type;

/* Of a variable of type T: for reports. */
template <class T> constexpr dev_shape shape()
{
    return std::rank<T>::value > 3 ? dev_shape{}
                                   : dev_shape{sizeof(typename std::remove_all_extents<T>::type),
                                               {std::extent<T, 0>::value, std::extent<T, 1>::value,
                                                std::extent<T, 2>::value}};
}

/* The alignment of a template's variable: where that is made, `added` is, too. In check mode it
 * leaves a gap behind the variable. */
template <const int *added> struct beside {
    static constexpr size_t line = HPC_DEVICE_INLINE ? 64 : 4096;
};

static inline void configure(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0,
                             HPC_HERE)
{
    dev_configure({grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared, stream, HPC_SITE);
}

/* Copied as a whole: of three small stores a wider load, as an argument, would have to wait. */
HPC_UNCHECKED static inline uint3 index(const dev_index &i)
{
    uint3 whole;
    static_assert(sizeof whole == sizeof i, "x, y, z");
    __builtin_memcpy(&whole, &i, sizeof whole);
    return whole;
}

HPC_UNCHECKED static inline uint3 thread_index()
{
    return index(dev_self->thread_index);
}

HPC_UNCHECKED static inline uint3 block_index()
{
    return index(dev_self->block_index);
}

HPC_UNCHECKED static inline dim3 block_dim()
{
    const dev_index &d = dev_self->launch->block;
    return {d.x, d.y, d.z};
}

HPC_UNCHECKED static inline dim3 grid_dim()
{
    const dev_index &d = dev_self->launch->grid;
    return {d.x, d.y, d.z};
}

HPC_UNCHECKED static inline unsigned thread_rank()
{
    return dev_self->thread;
}

HPC_UNCHECKED static inline unsigned lane()
{
    return dev_self->thread % 32;
}

/* Which side of a function with two (device/rewrite/sides.c) runs. */
HPC_UNCHECKED static constexpr inline bool on_device()
{
    return !__builtin_is_constant_evaluated() && dev_in_kernel;
}

#if HPC_DEVICE_INLINE
/* Go on with the fiber `to`, as `me`; returns when somebody comes back. */
static inline __attribute__((always_inline)) void go(dev_worker *w, dev_fiber *me, dev_fiber *to)
{
    w->current = to;
    dev_switch(me, to);
}

/* dev_begin_thread and dev_end_thread, without calls: most kernels spend a good part of their time
 * here. */
static inline void begin_thread(dev_worker *w)
{
    dev_fiber *me = w->current;
    while (__builtin_expect(w->started == w->threads, 0)) {
        me->waits = DEV_IDLE;
        go(w, me, w->epoch == 0 ? &w->home : me->next);
    }
    me->waits = DEV_RUNS;
    dev_next_thread(w);
}
#else
static inline void begin_thread(dev_worker *w)
{
    dev_begin_thread(w);
}
#endif

HPC_UNCHECKED static inline void end_thread(dev_worker *w)
{
    if (__builtin_expect(w->meets, 0))
        dev_end_thread(w);
    else
        w->ended++;
}

/* Of a worker or a launch, which have four bytes more behind it. */
HPC_UNCHECKED static inline triple triple_of(const dev_index &i)
{
    typedef triple __attribute__((may_alias, aligned(4))) unaligned;
    return reinterpret_cast<const unaligned &>(i);
}

#if !HPC_DEVICE_INLINE
#define HPC_DEVICE_KERNEL                                                                          \
    __attribute__((noinline)) /* so that the kernel keeps its own attributes */
#else
#define HPC_DEVICE_KERNEL
#endif

/* A thread. It has the kernel's arguments by value, where no access to them is looked at. */
template <class F>
HPC_DEVICE_KERNEL static inline void call_kernel(F f, triple thread, triple block,
                                                 triple block_size, triple grid)
{
    f(uint3{thread[0], thread[1], thread[2]}, uint3{block[0], block[1], block[2]},
      dim3{block_size[0], block_size[1], block_size[2]}, dim3{grid[0], grid[1], grid[2]});
}

/* The same with the arguments in registers, where they are few: in check mode g++ copies a struct
 * by functions that it instruments. */
template <class F>
HPC_DEVICE_KERNEL static inline void call_kernel(triple a, triple b, triple c, triple d,
                                                 triple thread, triple block, triple block_size,
                                                 triple grid)
{
    triple all[4] = {a, b, c, d};
    reinterpret_cast<F &>(all)(
        uint3{thread[0], thread[1], thread[2]}, uint3{block[0], block[1], block[2]},
        dim3{block_size[0], block_size[1], block_size[2]}, dim3{grid[0], grid[1], grid[2]});
}

template <class F>
HPC_UNCHECKED static inline void call_copied(const F &all, uint3 thread, uint3 block,
                                             dim3 block_size, dim3 grid)
{
    copied<F> mine(all);
    mine.f(thread, block, block_size, grid);
}

/* A fiber of a launch: thread after thread, each with a copy of the kernel's arguments, and block
 * after block. A thread that waits comes back on this fiber, when others have begun the rest. */
template <class F> HPC_UNCHECKED static void threads(dev_worker *w)
{
    const F &closure = *static_cast<const F *>(w->launch->closure);
    const dim3 size = block_dim(), grid = grid_dim();
#ifdef DEV_CHECK /* whose g++ calls a copy constructor, which it instruments */
    const copied<F> on_stack(closure);
    const F &arguments = on_stack.f;
    const triple *words = on_stack.words;
    constexpr bool few = sizeof(F) <= 4 * sizeof(triple);
#else
    const F &arguments = closure;
    const triple *words = nullptr;
    constexpr bool few = false;
#endif
    for (;;) {
        begin_thread(w);
        if constexpr (std::is_trivially_copyable<F>::value && few)
            call_kernel<F>(words[0], words[1], words[2], words[3], triple_of(w->thread_index),
                           triple_of(w->block_index), triple_of(w->launch->block),
                           triple_of(w->launch->grid));
        else if constexpr (std::is_trivially_copyable<F>::value)
            call_kernel(arguments, triple_of(w->thread_index), triple_of(w->block_index),
                        triple_of(w->launch->block), triple_of(w->launch->grid));
        else
            call_copied(closure, thread_index(), block_index(), size, grid);
        end_thread(w);
    }
}

/* Before a return in a kernel. */
static inline void left()
{
#ifdef DEV_CHECK
    dev_left();
#endif
}

/* Whether the kernel was called only to be asked which it is (cudaFuncGetAttributes). */
static inline bool asked(kernel &k)
{
    return dev_asked(&k);
}

/* All threads of a block of a kernel whose threads never wait: a loop. They do not ask for the
 * worker either; one that did by some way that device/rewrite does not see would not go unnoticed.
 * Ends: a thread may end the kernel, and is then to be named. */
template <bool Ends, class F> static void plain_threads(dev_worker *w)
{
    const copied<F> closure(*static_cast<const F *>(w->launch->closure));
    const dim3 size = block_dim(), grid = grid_dim();
    const uint3 block = block_index();
    dev_self = nullptr;
    for (unsigned z = 0; z < size.z; z++)
        for (unsigned y = 0; y < size.y; y++)
            for (unsigned x = 0; x < size.x; x++) {
                copied<F> copy(closure.f);
                if constexpr (Ends)
                    w->thread_index = {x, y, z};
                copy.f(uint3{x, y, z}, block, size, grid);
            }
    dev_self = w;
}

/* Plain: the kernel's threads never wait. */
template <bool Plain, bool Ends, class F> static inline void run(kernel &k, const F &f)
{
    static_assert(sizeof f <= DEV_MOST_PARAMETERS,
                  "a kernel has at most 32764 bytes of parameters");
    k.plain = Plain && HPC_DEVICE_INLINE;
    if constexpr (Plain && HPC_DEVICE_INLINE)
        dev_run(&k, &plain_threads<Ends, F>, &f, sizeof f);
    else
        dev_run(&k, &threads<F>, &f, sizeof f);
}

template <class T> HPC_UNCHECKED static inline T &shared(shared_variable &v)
{
#if HPC_DEVICE_INLINE
    if (__builtin_expect(v.offset == 0, 0))
        dev_place(&v);
    return *reinterpret_cast<T *>(dev_self->shared + v.offset);
#else
    return *static_cast<T *>(dev_shared(&v));
#endif
}

HPC_UNCHECKED static inline void *dynamic_shared()
{
    return dev_self->shared + DEV_DYNAMIC_AT;
}
} // namespace hpc_dev

#endif
