/* conv_dense_split on Hopper, from 28 x 28 outputs up mostly: wide_plan.h parts the work.
 *
 *   7 warps       x -> halves in shared memory                    -> x full
 *   a thread      weights, packed, as they lie in memory          -> w full    (the copy engine)
 *   2 warpgroups  x full, w full -> wgmma, both from shared memory -> x empty, w empty; then y
 *
 * Each pixel of a tile is split once for all taps and 64 filters. Launches may overlap: weights are
 * copied while the launch before this one ends. */
#ifndef HPC_CONV2D_WIDE_KERNEL_H
#define HPC_CONV2D_WIDE_KERNEL_H

#include "conv2d/variants/wide_convert.h"
#include "conv2d/variants/wide_multiply.h"
#include "conv2d/variants/wide_store.h"

namespace
{

/* Barrier i: how many arrive at it. */
DEVICE int wide_arrivals(const wide_job &j, int i)
{
    if (i < 4)
        return WIDE_CONVERTERS;
    return i < 8 || (i >= 16 && i < WIDE_STAGE_BARRIERS) ? 4 * j.plan.wn : 1;
}

/* A warp's part of the barriers, by one thread: two each, since a loop takes 80 cycles for one. */
DEVICE void wide_init(const wide_job &j, const wide_shared &shared, int warp)
{
    const int lane = threadIdx.x % 32, cluster = j.plan.cluster;
    if (lane == 0) {
#pragma unroll 1
        for (int i = warp; i < WIDE_BARRIERS; i += WIDE_THREADS / 32)
            barrier_init(shared.x_full(i), wide_arrivals(j, i));
        if (warp == WIDE_STAGE_BARRIERS % (WIDE_THREADS / 32) && cluster > 1) {
            const int pieces = wide_outputs(&j.plan) / 8 - (int)blockIdx.x + cluster - 1;
            barrier_expect(shared.received(),
                           pieces / cluster * wide_sources(&j.plan) * WIDE_PIECE);
        }
        barriers_ready();
    } else if (lane == 1 && warp < 3) {
        shared_put(shared.range(warp), 0);
        shared_put(shared.range(warp) + 4, 0xffffffffu);
    }
    __syncwarp();
    if (cluster > 1)
        cluster_come();
    __syncthreads();
}

template <int COLUMNS, int HALVES, int TAPS>
DEVICE void wide_multiply(const wide_job &j, const wide_shared &shared, const wide_share &share,
                          const float *x, const float *w, float *y)
{
    const int warpgroup = __shfl_sync(~0u, (int)threadIdx.x / 128, 0);
    wide_sums<COLUMNS, HALVES, TAPS> sums(j, shared, warpgroup);
    wide_ring xs = {0, 0}, ws = {0, 0};
    int seen = 0;
#pragma unroll 1
    for (int tile = blockIdx.z; tile < j.p.n * j.tiles; tile += gridDim.z) {
        const wide_place at(j, tile);
        sums.tile(share, at, x, w, &xs, &ws, &seen);
        const int mine = anew(warpgroup); /* no registers for outputs' places meanwhile */
        if (wide_sources(&j.plan) == 1) {
            wide_store(j, at, sums.v, mine, y);
            continue;
        }
        wide_send(j, shared, share, sums.v, mine);
        if (j.plan.cluster > 1)
            cluster_receive(shared.received());
        else
            named_sync<WIDE_PRODUCERS>(2);
        wide_add<COLUMNS / 2>(j, shared, share, at, y); /* one tile a block */
    }
}

/* Registers of a thread that multiplies, and of one that splits x: 256. With as many as SPLITS has
 * here it takes two stages of x at a time. */
template <int COLUMNS, int HALVES> struct wide_registers {
    enum { MULTIPLIES = COLUMNS == 56 ? 128 : HALVES == 1 ? 136 : COLUMNS == 112 ? 192 : 160 };
    enum { SPLITS = 256 - MULTIPLIES, AHEAD = SPLITS >= 96 ? 2 : 1 };
};

template <int COLUMNS, int HALVES, int TAPS>
__global__ void __launch_bounds__(WIDE_THREADS, 1)
    wide_kernel(const __grid_constant__ wide_job j, const float *x, const float *w, float *y)
{
#if HOPPER
    typedef wide_registers<COLUMNS, HALVES> registers;
    extern __shared__ uint4 memory[];
    const wide_shared shared(j, memory);
    const wide_share share(j);
    const int warp = __shfl_sync(~0u, (int)threadIdx.x / 32, 0);
    wide_init(j, shared, warp);
    allow_next_launch();
    if (warp < 8) {
        take_registers<registers::MULTIPLIES>();
        /* All have begun: their memory is theirs, and their barriers count. */
        if (j.plan.cluster > 1)
            cluster_come_all();
        wide_multiply<COLUMNS, HALVES, TAPS>(j, shared, share, x, w, y);
        return;
    }
    give_registers<registers::SPLITS>();
    if (warp < 8 + WIDE_CONVERTERS) {
        wide_convert<HALVES, WIDE_ITEMS(COLUMNS), registers::AHEAD>(j, shared, share, x,
                                                                    threadIdx.x - WIDE_PRODUCERS);
        __syncwarp();
        if (j.plan.cluster > 1)
            cluster_come_all();
    } else if (threadIdx.x % 32 == 0) { /* the others are gone: waiting for this one slows it */
        wide_copy_weights(j, shared, share);
    }
#endif
}

} // namespace

#endif
