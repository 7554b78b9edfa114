/* A block of a kernel that is loops between its barriers (phases.h). */
#ifndef HPC_DEVICE_BLOCKS_H
#define HPC_DEVICE_BLOCKS_H

#include "kernel.h"

namespace hpc_dev
{
/* Its body runs once, and in it each_thread. It has its arguments as call_kernel has them. */
template <class F>
HPC_DEVICE_KERNEL static inline void call_phases(F f, triple block, triple block_size, triple grid)
{
    f(uint3{block[0], block[1], block[2]}, dim3{block_size[0], block_size[1], block_size[2]},
      dim3{grid[0], grid[1], grid[2]});
}

#if !HPC_DEVICE_INLINE
template <class F> HPC_UNCHECKED static void phases(dev_worker *w)
{
    copied<F> mine(*static_cast<const F *>(w->launch->closure));
    if constexpr (std::is_trivially_copyable<F>::value)
        call_phases(mine.f, triple_of(w->block_index), triple_of(w->launch->block),
                    triple_of(w->launch->grid));
    else
        mine.f(block_index(), block_dim(), grid_dim());
}
#else
enum { few_blocks = (1u << 31) / DEV_MOST_THREADS };

template <class F> __attribute__((noinline, cold)) static void phases_of_many(dev_worker *w)
{
    copied<F> mine(*static_cast<const F *>(w->launch->closure));
    mine.f(block_index(), block_dim(), grid_dim());
}

/* The compiler is to see that blockIdx.x * blockDim.x + threadIdx.x fits an int, as it does in most
 * launches: then it loads the threads' x[i] as one vector, else one by one. */
template <class F> static void phases(dev_worker *w)
{
    if (w->launch->grid.x > few_blocks) {
        phases_of_many<F>(w);
        return;
    }
    const unsigned x = w->block_index.x;
    if (x >= few_blocks)
        __builtin_unreachable();
    copied<F> mine(*static_cast<const F *>(w->launch->closure));
    mine.f(uint3{x, w->block_index.y, w->block_index.z}, block_dim(), grid_dim());
}
#endif

template <class F> static inline void run_phases(kernel &k, const F &f)
{
    static_assert(sizeof f <= DEV_MOST_PARAMETERS, "at most 32764 bytes of parameters");
    k.plain = true;
    dev_run(&k, &phases<F>, &f, sizeof f);
}
} // namespace hpc_dev

#endif
