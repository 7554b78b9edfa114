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
 *   products   s full, w full -> wgmma   -> s empty, w empty; then y, or of SPLIT
 *              sums to who stores them              -> received; then y
 *
 * Launches may overlap: while the launch before this one ends, weights are copied, and the first
 * box of x comes as far as the L2. */
#ifndef HPC_CONV2D_POOL_KERNEL_H
#define HPC_CONV2D_POOL_KERNEL_H

#include "conv2d/variants/pool_copies.h"
#include "conv2d/variants/pool_few.h"
#include "conv2d/variants/pool_form.h"
#include "conv2d/variants/pool_products.h"
#include "conv2d/variants/pool_store.h"

namespace
{

/* A warp's sums of a subtile, finished, to y; says whether some are no numbers. */
template <class F>
DEVICE bool store_sums(const pool_call &call, tile_sums<F, F::PRODUCTS, F::FEW> &sums,
                       const product_stages<F> &at, int rank, const warp_rows &rows, int filter,
                       int thread, bool lost)
{
    const int lane = thread % 32;
    const auto finish = [&]() {
        sums.finish(&at);
        if constexpr (F::SPLIT > 1) {
#pragma unroll
            for (int i = 0; i < F::FILTERS / 2 && lost; i++)
                sums.v[i] = __int_as_float(0x7fffffff); /* for whoever adds it */
            exchange_sums<F>(sums.v, at.base, rank, thread);
        }
    };
    if constexpr (F::FLOATS && !F::NCHW) {
        const filter_scales<F> unscale(call, filter, lane);
        finish();
        return store_floats<F>(call, sums.v, rows, unscale, lane);
    } else {
        finish();
        if constexpr (F::NCHW)
            return store_maps<F>(call, sums.v, rows, filter, lane);
        else if constexpr (F::STORED < 32)
            return store_few_halves<F>(call, sums.v, rows, lane);
        else
            return store_halves<F>(
                call, sums.v, at.base + F::OUT_AT + thread / 32 * 16 * F::OUT_PITCH, rows, lane);
    }
}

template <class F>
DEVICE void multiply_all(const pool_call &call, const block_work &work, uint32_t base, int thread)
{
    const int group = thread / 128, warp = thread / 32 % 4, lane = thread % 32;
    product_stages<F> at(base, group, lane);
#pragma unroll 1
    for (int tile = work.first; tile < call.tiles; tile += work.step) {
        tile_sums<F, F::PRODUCTS, F::FEW> sums;
        const int subtile = work.subtile<F>(call, tile) + group;
        const int filter = work.filter_tile<F>(call, tile) * F::FILTERS +
                           (F::SPLIT > 1 ? work.rank * F::STORED : 0);
        const bool lost = sums.multiply(&at, work.count);
        const warp_rows rows = warp_rows::of<F>(call, subtile, filter, warp, lane);
        const bool bad =
            lost | store_sums<F>(call, sums, at, work.rank, rows, filter, thread, lost);
        if (__any_sync(~0u, bad)) {
            __syncwarp();
            mend_rows<F, F::STORED>(call, subtile, warp * 16, filter, lane, lost);
        }
    }
}

/* A warp's part of the beginning: the others wait until the copy warps' barriers are there. copies:
 * which of the copy warps this is, negative: none. */
enum { BARRIERS_SET = 6 };

template <class F>
DEVICE void init_block(const CUtensorMap *boxes, uint32_t base, int rank, int copies, int lane)
{
    if (copies >= 0) {
        init_copies<F>(boxes, base, copies, lane);
    } else if (threadIdx.x == 0) {
        init_barriers<F>(base, 2 * F::X_STAGES, 2 * F::S_STAGES, rank);
        init_barriers<F>(base, F::IN_STAGES, F::BARRIERS - F::IN_STAGES, rank);
        barriers_ready();
        for (int i = 0; i < F::SUM_GROUPS * 3; i++)
            sum_range<F>::clear(base + F::RANGE_AT + i * 8);
    }
    __syncwarp();
    if (F::CLUSTER > 1)
        cluster_come();
    if (copies >= 0)
        named_arrive<F::THREADS>(BARRIERS_SET);
    else
        named_sync<F::THREADS>(BARRIERS_SET);
}

/* All blocks of the cluster have begun: their barriers count. */
template <class F> DEVICE void wait_for_cluster(void)
{
    if (F::CLUSTER > 1)
        cluster_come_all();
}

/* A sum warp reads x no more: there others may leave their sums. */
template <class F> DEVICE void let_others_send(uint32_t base, int rank, int lane)
{
#pragma unroll
    for (int other = 0; other < F::SPLIT; other++)
        if (lane == 0 && other != rank)
            cluster_arrive(cluster_address(F::others_ready(base), other));
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
    const block_work work = block_work::of<F>(call);
    init_block<F>(&boxes, base, work.rank, helper - F::ALL_SUM_WARPS, lane);
    if (helper < 0) {
        if (F::PRODUCT_REGISTERS > F::AT_LAUNCH)
            take_registers<F::PRODUCT_REGISTERS>();
        wait_for_cluster<F>();
        multiply_all<F>(call, work, base, threadIdx.x);
    } else {
        if (F::HELPER_REGISTERS < F::AT_LAUNCH)
            give_registers<F::HELPER_REGISTERS>();
        if (helper < F::ALL_SUM_WARPS) {
            wait_for_cluster<F>();
            form_sums<F>(call, work, base, helper, lane);
            if (F::SPLIT > 1)
                let_others_send<F>(base, work.rank, lane);
        } else if (lane == 0) {
            copy_all<F>(&boxes, call, work, base, helper - F::ALL_SUM_WARPS);
        }
    }
    if constexpr (F::PAIR != 0) { /* until then the other block copies to this one, and arrives */
        __syncwarp();
        if (helper >= F::ALL_SUM_WARPS)
            wait_for_cluster<F>();
        cluster_come();
        cluster_come_all();
    }
#endif
}

} // namespace

#endif
