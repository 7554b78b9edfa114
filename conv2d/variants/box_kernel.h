/* conv_dense_split on Hopper where a filter's steps leave few products a pixel (strides): what
 * bounds it is the way of x, so nothing is done to x on its way.
 *
 *   a warp        x as it is: boxes of 32 channels                  -> x full  (the copy engine)
 *   a thread      weights, two floats of 11 bits each, as they lie  -> w full  (the copy engine)
 *   2 warpgroups  x full -> registers, rounded there; w full -> wgmma of x in registers and
 *                 weights in shared memory -> w empty, x empty; then y
 *
 * A float is two of 11 bits, each with a float's range (TF32), as in near_kernel.h: no scale, so no
 * pass over x before it is multiplied. Outputs are the product's rows, filters its columns; which
 * channel stands where in a sum is free, so four of x are one load. Sums that are not finite are
 * made again in floats. Launches may overlap: weights, and x as far as the L2, are copied while the
 * launch before this one ends. */
#ifndef HPC_CONV2D_BOX_KERNEL_H
#define HPC_CONV2D_BOX_KERNEL_H

#include "conv2d/variants/box_copy.h"
#include "conv2d/variants/box_multiply.h"
#include "conv2d/variants/box_store.h"

namespace
{

enum { BOX_THREADS = 320 };

/* By one warp, the one that waits for x, so that it need not wait for others. */
DEVICE void box_init(const box_job &j, const box_shared &shared)
{
    const int i = threadIdx.x % 32, cluster = j.plan.cluster;
    if (i < j.plan.x_stages) {
        barrier_init(shared.x_full(i), 1);
        barrier_init(shared.x_empty(i), 8);
    }
    if (i < j.plan.w_stages) {
        barrier_init(shared.w_full(i), 1);
        barrier_init(shared.w_empty(i), j.plan.wk == 1 ? 8 : 4);
    }
    if (i == 31 && cluster > 1) {
        const int more = box_pieces(&j.plan) - j.full * cluster > (int)blockIdx.x;
        barrier_init(shared.received(), 1);
        barrier_expect(shared.received(), (j.full + more) * box_sources(&j.plan) * BOX_PIECE);
    }
    barriers_ready();
    __syncwarp();
}

DEVICE void box_cluster_arrive(const box_job &j)
{
    if (j.plan.cluster > 1)
        asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

/* All have begun: their memory is theirs, and their barriers count. */
DEVICE void box_cluster_wait(const box_job &j)
{
    if (j.plan.cluster > 1)
        asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

template <int BLOCKS, int HALVES, int ROW>
__global__ void __launch_bounds__(BOX_THREADS, 1)
    box_kernel(const __grid_constant__ box_job j, const __grid_constant__ CUtensorMap map,
               const float *x, const float *w, float *y)
{
#if HOPPER
    extern __shared__ uint4 memory[];
    const box_shared shared(j, memory);
    const int warp = __shfl_sync(~0u, (int)threadIdx.x / 32, 0);
    if (warp == 9) {
        box_init(j, shared);
        asm volatile("bar.arrive 3, %0;" ::"r"((int)BOX_THREADS) : "memory"); /* barriers are set */
        box_cluster_arrive(j);
        allow_next_launch();
        box_copy_x(j, shared, box_share(j), &map, x);
        box_cluster_wait(j);
        return;
    }
    named_sync<BOX_THREADS>(3);
    box_cluster_arrive(j);
    allow_next_launch();
    const box_share share(j);
    if (warp == 8) {
        if (threadIdx.x % 32 == 0)
            box_copy_weights(j, shared, share);
        __syncwarp();
        box_cluster_wait(j);
        return;
    }
    box_sums<BLOCKS, HALVES, ROW> sums(j, shared, warp / 4);
    sums.all(share);
    box_cluster_wait(j);
    box_store<BLOCKS>(j, shared, sums.v, warp / 4, box_writer(j, share, x, w, y));
#endif
}

} // namespace

#endif
