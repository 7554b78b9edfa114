/* The fused convolution-pooling on Hopper: one launch that reads x once, forms the sums S of
 * pool_tile.h on their way into shared memory and multiplies by shifted reads of it; neither S nor
 * its windows are ever in device memory.
 *
 * Interface: pool_kernel<F>, a block a tile and then every (gridDim.x / CLUSTER)-th one, F::THREADS
 * threads, F::SHARED_BYTES, clusters of F::CLUSTER; of SPLIT, a tile a cluster, no more.
 *
 *   a warp     copies boxes of x         -> x full                       (the copy engine)
 *   a warp     copies weights, tap by tap             -> w full          (the copy engine)
 *   sum warps  x full -> S               -> s full, x empty
 *   products   s full, w full -> wgmma   -> s empty, w empty; then y
 *
 * Launches may overlap: while the launch before this one ends, weights are copied, and the first
 * box of x comes as far as the L2. */
#ifndef HPC_CONV2D_POOL_KERNEL_H
#define HPC_CONV2D_POOL_KERNEL_H

#include "conv2d/variants/pool_copies.h"
#include "conv2d/variants/pool_form.h"
#include "conv2d/variants/pool_products.h"
#include "conv2d/variants/pool_store.h"
#include "conv2d/variants/pool_three.h"

namespace
{

template <class F>
DEVICE void multiply_all(const pool_call &call, const block_work &work, uint32_t base, int thread)
{
    const int group = thread / 128, warp = thread / 32 % 4, lane = thread % 32;
    product_stages<F> at(base, group, lane);
#pragma unroll 1
    for (int tile = work.first; tile < call.tiles; tile += work.step) {
        tile_sums<F, F::PRODUCTS> sums;
        const int subtile = work.subtile<F>(call, tile);
        const int filter = work.filter_tile<F>(call, tile) * F::FILTERS;
        const bool lost = sums.multiply(&at, work.count);
        if constexpr (F::SPLIT > 1) {
            sums.finish(&at);
            keep_partial<F>(sums.v, base, group, warp, lane, lost);
        } else {
            bool bad = lost;
            const warp_rows rows = warp_rows::of<F>(call, subtile + group, filter, warp, lane);
            if constexpr (F::NCHW) {
                sums.finish(&at);
                bad |= store_maps<F>(call, sums.v, rows, filter, lane);
            } else if constexpr (F::FLOATS) {
                const filter_scales<F> unscale(call, filter, lane);
                sums.finish(&at);
                bad |= store_floats<F>(call, sums.v, rows, unscale, lane);
            } else {
                sums.finish(&at);
                bad |= store_halves<F>(call, sums.v,
                                       base + F::OUT_AT + (group * 4 + warp) * 16 * F::OUT_PITCH,
                                       rows, lane);
            }
            if (__any_sync(~0u, bad)) {
                __syncwarp();
                mend_rows<F>(call, subtile + group, warp * 16, filter, lane, lost);
            }
        }
    }
}

template <class F> DEVICE void init_block(const CUtensorMap *boxes, uint32_t base)
{
    const int rank = F::PAIR ? (int)cluster_rank() : 0;
    if (threadIdx.x == 32)
        asm volatile("prefetch.tensormap [%0];" ::"l"(boxes) : "memory");
    if (threadIdx.x == 0) {
        for (int i = 0; i < F::X_STAGES; i++) {
            barrier_init(F::x_full(base, i), 1);
            barrier_init(F::x_empty(base, i), F::SUM_WARPS);
        }
        for (int i = 0; i < F::S_STAGES; i++) {
            const bool foreign = F::PAIR && i % 2 != rank;
            barrier_init(F::s_full(base, i), foreign ? 1 : F::SUM_WARPS);
            barrier_init(F::s_empty(base, i), F::PAIR ? 8 : 4);
        }
        for (int i = 0; i < F::W_STAGES; i++) {
            barrier_init(F::w_full(base, i), 1);
            barrier_init(F::w_empty(base, i), 4 * F::GROUPS);
        }
        barriers_ready();
        for (int i = 0; F::PAIR && i < F::S_STAGES; i++)
            if (i % 2 != rank)
                barrier_expect(F::s_full(base, i), F::S_COPIED);
        for (int i = 0; i < F::SUM_GROUPS * 3; i++)
            sum_range<F>::clear(base + F::RANGE_AT + i * 8);
    }
    if (F::CLUSTER > 1)
        cluster_sync();
    else
        __syncthreads();
}

template <class F>
__global__ void __launch_bounds__(F::THREADS, F::BLOCKS)
    pool_kernel(const __grid_constant__ CUtensorMap boxes, const pool_call call)
{
#if HOPPER
    extern __shared__ char stages[];
    const uint32_t base = (shared_address(stages) + 1023) & ~1023u;
    const int warp = __shfl_sync(~0u, (int)threadIdx.x / 32, 0), lane = threadIdx.x % 32;
    const int helper = warp - F::GROUPS * 4;
    init_block<F>(&boxes, base);
    const block_work work = block_work::of<F>(call);
    if (helper < 0) {
        if (F::PRODUCT_REGISTERS > F::AT_LAUNCH)
            take_registers<F::PRODUCT_REGISTERS>();
        multiply_all<F>(call, work, base, threadIdx.x);
    } else {
        if (F::HELPER_REGISTERS < F::AT_LAUNCH)
            give_registers<F::HELPER_REGISTERS>();
        if (helper < F::ALL_SUM_WARPS)
            form_sums<F>(call, work, base, helper, lane);
        else if (lane == 0)
            copy_all<F>(&boxes, call, work, base, helper - F::ALL_SUM_WARPS);
    }
    if constexpr (F::PAIR != 0) {
        __syncwarp();
        cluster_sync(); /* until then the other block copies to this one, and arrives here */
    }
    if constexpr (F::SPLIT > 1) {
        __syncwarp();
        cluster_sync();
        if (helper < 0)
            store_split<F>(call, base, work.rank, work.first / call.filter_tiles * F::GROUPS,
                           work.first % call.filter_tiles * F::FILTERS, threadIdx.x);
        __syncwarp();
        cluster_sync(); /* no block's shared memory goes before the others have read it */
    }
#endif
}

} // namespace

#endif
