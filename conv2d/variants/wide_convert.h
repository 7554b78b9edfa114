/* conv_dense_split on Hopper: the warps that bring x into shared memory as halves, stage by stage,
 * and the thread that has weights copied. */
#ifndef HPC_CONV2D_WIDE_CONVERT_H
#define HPC_CONV2D_WIDE_CONVERT_H

#include "conv2d/variants/wide_fetch.h"

namespace
{

/* All that the converting warps do. While a stage is split, AHEAD further ones are on their way: of
 * two the nearer one is moved on, for to unroll this would be too much code to have at hand. */
template <int HALVES, int READING, int ITEMS, int AHEAD> struct wide_conversion {
    const wide_job &j;
    const wide_shared &shared;
    const wide_share &share;
    int thread, turn;
    wide_ring ring;
    wide_converter<HALVES, READING, ITEMS> c;
    float v[AHEAD][ITEMS][8];

    DEVICE wide_conversion(const wide_job &job, const wide_shared &s, const wide_share &mine,
                           int thread_)
        : j(job), shared(s), share(mine), thread(thread_), turn(0), ring({0, 1}), c(job, s)
    {
    }

    /* Whether halves can hold the numbers that all threads have of a stage; then by which scale. */
    DEVICE bool agree(const float (&now)[ITEMS][8])
    {
        c.range(shared.range(turn), now);
        named_sync<WIDE_CONVERTING>(1);
        const uint32_t most = shared_get(shared.range(turn));
        const uint32_t least = shared_get(shared.range(turn) + 4);
        const int last = turn == 0 ? 2 : turn - 1; /* all have read it */
        if (thread == 0) {
            shared_put(shared.range(last), 0);
            shared_put(shared.range(last) + 4, 0xffffffffu);
        }
        turn = turn == 2 ? 0 : turn + 1;
        return c.choose(most, least);
    }

    /* A stage from `group` on; then registers take the stage that is AHEAD of it. */
    DEVICE void stage(int group)
    {
        const int further = group + AHEAD * j.plan.deep;
        const bool good = agree(v[0]);
        barrier_wait(shared.x_empty(ring.stage), ring.parity);
#pragma unroll
        for (int i = 0; i < ITEMS; i++) { /* the further group's come in what is free */
            if (good && c.to[i] >= 0)
                c.store(i, shared.x(ring.stage), v[0]);
#pragma unroll
            for (int k = 0; k < 8 && AHEAD == 2; k++)
                v[0][i][k] = v[AHEAD - 1][i][k];
            if (further < share.count)
                c.load_item(i, share.begin + further, v[AHEAD - 1]);
        }
        c.next_group();
        if (thread == 0)
            shared_put(shared.unit(ring.stage), good ? (uint32_t)(c.scale - 14) << 23 : 0);
        stores_before_wgmma();
        __syncwarp();
        if (thread % 32 == 0)
            barrier_arrive(shared.x_full(ring.stage));
        ring.next(j.plan.x_stages);
    }

    DEVICE void all(const float *x)
    {
#pragma unroll 1
        for (int tile = blockIdx.z; tile < j.p.n * j.tiles; tile += gridDim.z) {
            c.begin(x, wide_place(j, tile), thread, share.begin);
            if (READING != WIDE_ANY)
                wide_fetch(j, wide_place(j, tile), c.image, share.begin,
                           share.begin + min(share.count, j.fetched), thread);
            wait_for_earlier_launches(); /* behind what does not read x */
#pragma unroll
            for (int i = 0; i < AHEAD; i++)
                if (i * j.plan.deep < share.count)
                    c.load(share.begin + i * j.plan.deep, v[i]);
#pragma unroll 1
            for (int group = 0; group < share.count; group += j.plan.deep)
                stage(group);
        }
    }
};

template <int HALVES, int READING, int ITEMS, int AHEAD>
DEVICE void wide_convert_all(const wide_job &j, const wide_shared &shared, const wide_share &share,
                             const float *x, int thread)
{
    wide_conversion<HALVES, READING, ITEMS, AHEAD>(j, shared, share, thread).all(x);
}

template <int HALVES, int ITEMS, int AHEAD>
DEVICE void wide_convert(const wide_job &j, const wide_shared &shared, const wide_share &share,
                         const float *x, int thread)
{
    const bool nhwc = j.p.layout == CONV_NHWC;
    if (j.p.c % WIDE_GROUP != 0 || (nhwc && ((size_t)x & 15) != 0))
        wide_convert_all<HALVES, WIDE_ANY, ITEMS, 1>(j, shared, share, x, thread);
    else if (nhwc)
        wide_convert_all<HALVES, WIDE_EIGHTS, ITEMS, AHEAD>(j, shared, share, x, thread);
    else
        wide_convert_all<HALVES, WIDE_MAPS, ITEMS, AHEAD>(j, shared, share, x, thread);
}

/* One thread's copies of weights: all of a block's groups for each tile. */
DEVICE void wide_copy_weights(const wide_job &j, const wide_shared &shared, const wide_share &share)
{
    wide_ring ring = {0, 1};
    const char *const first = j.weights + ((size_t)blockIdx.y * j.groups + share.begin) * j.rows *
                                              (size_t)j.memory.w_stage;
#pragma unroll 1
    for (int tile = blockIdx.z; tile < j.p.n * j.tiles; tile += gridDim.z) {
        const char *from = first;
#pragma unroll 1
        for (int i = share.count * j.rows; i > 0; i--) {
            barrier_wait(shared.w_empty(ring.stage), ring.parity);
            barrier_expect(shared.w_full(ring.stage), j.memory.w_stage);
            copy_bytes(shared.w(ring.stage), from, j.memory.w_stage, shared.w_full(ring.stage));
            from += j.memory.w_stage;
            ring.next(j.plan.w_stages);
        }
    }
}

} // namespace

#endif
