/* Run mode: kernels whose threads meet at barriers alone are loops between them
 * (device/rewrite/phases.h, which looks for the name below). */
#ifndef HPC_DEVICE_PHASES_H
#define HPC_DEVICE_PHASES_H

enum { kernels_in_phases = 1 };

namespace hpc_dev
{
/* A variable of each thread that outlives a barrier: T holds it. Large ones are not on the stack.
 */
template <class T, bool Small = (sizeof(T) <= 64)> class each_threads
{
    T of[DEV_MOST_THREADS];

  public:
    T &operator[](unsigned thread)
    {
        return of[thread];
    }
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

/* What the threads of a block do from one barrier to the next. No two of them touch the same memory
 * there, one of them writing, but by atomics: so they may go side by side. */
template <class B>
__attribute__((always_inline)) static inline void each_thread(const dim3 size, B body)
{
    /* Of a launch: so that the compiler sees that sums of indices do not wrap. */
    if (size.x > DEV_MOST_THREADS || size.y > DEV_MOST_THREADS || size.z > 64)
        __builtin_unreachable();
    unsigned first = 0;
    for (unsigned z = 0; z < size.z; z++)
        for (unsigned y = 0; y < size.y; y++, first += size.x)
#pragma GCC ivdep
            for (unsigned x = 0; x < size.x; x++)
                body(uint3{x, y, z}, first + x);
}
} // namespace hpc_dev

#endif
