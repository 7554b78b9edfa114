/* conv_dense_split on Hopper where a filter's steps leave few products a pixel (strides): what
 * bounds it is the way of x, so x becomes halves only where it is multiplied.
 *
 *   a warp        x as it is: boxes of 32 channels      -> x full  (the copy engine)
 *   a warp        weights, halves, as they lie          -> w full  (the copy engine)
 *   2 warpgroups  x full -> registers, halves there; w full -> wgmma of x in registers and
 *                 weights in shared memory -> w empty, x empty; then y
 *   2 warps       x full -> the least number, for what halves cannot hold -> x empty
 *
 * A float is an upper half and, for fp32's accuracy, a lower one, scaled by a power of two that a
 * warp finds on its way (box_range.h), so no pass over x before it is multiplied. Outputs are the
 * product's rows, filters its columns; which channel stands where in a sum is free, so four of x
 * are one load. Sums that are not finite are made again in floats. Launches may overlap: weights,
 * and x as far as the L2, are copied while the launch before this one ends. */
#ifndef HPC_CONV2D_BOX_KERNEL_H
#define HPC_CONV2D_BOX_KERNEL_H

#include "conv2d/variants/box_copy.h"
#include "conv2d/variants/box_multiply.h"
#include "conv2d/variants/box_store.h"

namespace
{

/* Warps: 0 .. 7 multiply. */
enum { BOX_COPIES_W = 8, BOX_COPIES_X = 9, BOX_LOOKS = 10 };

DEVICE void box_init_some(const box_shared &shared, int first, int count, int arrivals)
{
#pragma unroll 1
    for (int i = 0; i < count; i++)
        barrier_init(shared.barrier(first + i), arrivals);
}

/* A warp's part of the barriers, by one thread: a few each, since each takes 80 cycles; first of
 * all what the warps that copy need. */
DEVICE void box_init(const box_job &j, const box_shared &shared, int warp)
{
    if (warp == BOX_COPIES_X) {
        box_init_some(shared, BOX_X_FULL, j.plan.x_stages, 1);
        if (j.plan.cluster > 1) {
            barrier_init(shared.barrier(BOX_RECEIVED), 1);
            barrier_expect(shared.barrier(BOX_RECEIVED),
                           ((int)blockIdx.x < j.spare ? j.full + 1 : j.full) * j.plan.cluster *
                               BOX_PIECE);
        }
    } else if (warp == BOX_COPIES_W) {
        barrier_init(shared.barrier(BOX_UNITS_FULL), 1);
        box_init_some(shared, BOX_W_FULL, j.plan.w_stages, 1);
    } else if (warp == BOX_LOOKS) {
        box_init_some(shared, BOX_X_EMPTY, j.plan.x_stages, 8 + BOX_LOOKERS);
        barrier_init(shared.barrier(BOX_LOOKED), BOX_LOOKERS);
    } else if (warp < 8) {
        box_init_some(shared, BOX_W_EMPTY + warp * 2, min(2, j.plan.w_stages - warp * 2),
                      j.w_users);
    }
    barriers_ready();
}

DEVICE void box_cluster_arrive(const box_job &j)
{
    if (j.plan.cluster > 1)
        cluster_come();
}

/* All have begun: their memory is theirs, and their barriers count. */
DEVICE void box_cluster_wait(const box_job &j)
{
    if (j.plan.cluster > 1)
        cluster_come_all();
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
    if (threadIdx.x % 32 == 0)
        box_init(j, shared, warp);
    __syncwarp();
    allow_next_launch();
    box_cluster_arrive(j);
    if (warp == BOX_COPIES_X) {
        named_arrive<BOX_THREADS>(BOX_FULL_SET);
        box_copy_x(j, shared, box_share(j), &map, x);
        box_cluster_wait(j);
        return;
    }
    const box_share share(j);
    if (warp == BOX_COPIES_W) {
        named_arrive<BOX_THREADS>(BOX_FULL_SET);
        box_copy_weights(j, shared, share);
        box_cluster_wait(j);
        return;
    }
    named_arrive<BOX_THREADS>(BOX_EMPTY_SET);
    named_sync<BOX_THREADS>(BOX_FULL_SET);
    if (warp >= BOX_LOOKS) {
        box_look(j, shared, share, warp - BOX_LOOKS);
        box_cluster_wait(j);
        return;
    }
    box_sums<BLOCKS, HALVES, ROW> sums(j, shared, warp / 4);
    box_cluster_wait(j);
    sums.all(share);
    barrier_wait(shared.barrier(BOX_UNITS_FULL), 0);
    box_writer writer(j, shared, share, x, w, y);
    box_store<BLOCKS>(j, shared, sums.v, warp / 4, writer);
#endif
}

} // namespace

#endif
