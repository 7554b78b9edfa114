/* box_kernel.h's sums on their way to y: those of two warpgroups of the same outputs are added
 * first, then those of a cluster's blocks. A piece is 8 filters of 64 outputs. */
#ifndef HPC_CONV2D_BOX_STORE_H
#define HPC_CONV2D_BOX_STORE_H

#include "conv2d/variants/box_job.h"
#include "conv2d/variants/near_kernel.h"

namespace
{

enum { BOX_PRODUCERS = 256 }; /* threads that multiply */

DEVICE float2 box_get_pair(uint32_t at)
{
    float2 v;
    asm volatile("ld.shared.v2.f32 {%0,%1}, [%2];" : "=f"(v.x), "=f"(v.y) : "r"(at) : "memory");
    return v;
}

/* An output's sums of filters k and k + 1, stored one by one: in any layout, and those that are not
 * finite made again in floats. y + at is where its sum of the block's first filter belongs. */
__noinline__ __device__ void box_put_slowly(const box_job &j, const float *x, const float *w,
                                            int image, int first, size_t at, int k, float2 v,
                                            float *y)
{
    const bool nhwc = j.p.layout == CONV_NHWC;
    const int plane = j.y_rows * j.y_columns;
    const int pixel = (int)((nhwc ? at / j.p.k : at) % plane);
    for (int i = 0; i < 2 && k + i < j.p.k; i++) {
        float sum = i ? v.y : v.x;
        if (!(fabsf(sum) <= 3.4028235e38f))
            sum = near_exact(j.p, x, w, image, k + i, pixel / j.y_columns, pixel % j.y_columns);
        y[at + (size_t)(k + i - first) * (nhwc ? 1 : plane)] = sum;
    }
}

/* A thread's two outputs of a warpgroup's 64, 8 apart. */
struct box_writer {
    const box_job &j;
    const box_shared &shared;
    const box_share &share;
    const float *x, *w;
    float *y;
    float *at[2]; /* the first filter's, NULL: there is none */
    int set;      /* of outputs */
    bool pairs;   /* two filters of an output may be written at a time */

    DEVICE box_writer(const box_job &job, const box_shared &s, const box_share &mine,
                      const float *x_, const float *w_, float *y_)
        : j(job), shared(s), share(mine), x(x_), w(w_), y(y_), set(-1)
    {
        pairs = j.p.layout == CONV_NHWC && j.p.k % 2 == 0 && ((size_t)y_ & 7) == 0;
    }

    /* Of which 64 outputs: 0, or 1 for the second warpgroup's where it has its own. */
    DEVICE void use(int which)
    {
        if (which == set)
            return;
        set = which;
        for (int i = 0; i < 2; i++) {
            const int thread = threadIdx.x % 128;
            const int output = set * BOX_ROWS + thread / 32 * 16 + thread % 32 / 4 + 8 * i;
            const int u = wide_over(output, j.by_columns), row = share.top + u;
            const int column = share.left + output - u * j.plan.tw;
            at[i] = u < j.plan.th && row < j.y_rows && column < j.y_columns
                        ? y + conv2d_y_at(&j.p, share.image, share.filter, row, column)
                        : NULL;
        }
    }

    /* Output i's sums of two of the block's filters. */
    DEVICE void put(int i, int filter, float a, float b) const
    {
        const int k = share.filter + filter;
        if (!at[i] || k >= j.p.k)
            return;
        if (!(fabsf(a) <= 3.4028235e38f && fabsf(b) <= 3.4028235e38f) || !pairs) {
            box_put_slowly(j, x, w, share.image, share.filter, at[i] - y, k, make_float2(a, b), y);
            return;
        }
        *(float2 *)(at[i] + filter) = make_float2(a, b);
    }

    /* The thread's of a piece of the block's, from the filter on. */
    DEVICE void piece(int filter, float4 v) const
    {
        const int f = filter + threadIdx.x % 4 * 2;
        const float2 unit = box_get_pair(shared.unit(f));
        put(0, f, v.x * unit.x, v.y * unit.y);
        put(1, f, v.z * unit.x, v.w * unit.y);
    }
};

/* To the block of the cluster that adds them. */
DEVICE void box_send(uint32_t here, uint32_t barrier, int rank, float4 v)
{
    cluster_send(cluster_address(here, rank), cluster_address(barrier, rank), v);
}

/* Adds what came, always in the same order. Piece i is for block i % cluster. */
template <int EACH> DEVICE void box_add(const box_job &j, const box_shared &shared, box_writer &to)
{
    const int cluster = j.plan.cluster, pieces = box_pieces(&j.plan), rank = blockIdx.x;
    to.use((threadIdx.x / 128 * cluster + rank) / EACH); /* before they are here */
    cluster_receive(shared.barrier(BOX_RECEIVED));
#pragma unroll 1
    for (int slot = threadIdx.x / 128; slot * cluster + rank < pieces; slot += 2) {
        float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 4
        for (int i = 0; i < cluster; i++) {
            const float4 v = shared_get_floats(shared.inbox(slot, i) + threadIdx.x % 128 * 16);
            sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
        }
        const int number = slot * cluster + rank;
        to.use(number / EACH);
        to.piece(number % EACH * 8, sum);
    }
}

/* The warpgroup's COUNT pieces, which follow those of the one before it. */
template <int EACH, int COUNT>
DEVICE void box_give(const box_job &j, const box_shared &shared, const float4 (&v)[COUNT],
                     box_writer &to)
{
    const int cluster = j.plan.cluster, first = threadIdx.x / 128 * COUNT;
    if (cluster == 1) {
        to.use(first / EACH);
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            to.piece(first % EACH * 8 + i * 8, v[i]);
        return;
    }
    int slot = first / cluster, rank = first - slot * cluster;
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        box_send(shared.inbox(slot, blockIdx.x) + threadIdx.x % 128 * 16,
                 shared.barrier(BOX_RECEIVED), rank, v[i]);
        if (++rank == cluster) {
            rank = 0;
            slot++;
        }
    }
    box_add<EACH>(j, shared, to);
}

DEVICE float4 box_fours(const float *v)
{
    return make_float4(v[0], v[1], v[2], v[3]);
}

/* What a block's warpgroup made. Two of the same outputs swap halves of their pieces first. */
template <int BLOCKS>
DEVICE void box_store(const box_job &j, const box_shared &shared, const float (&v)[BLOCKS][32],
                      int warpgroup, box_writer &to)
{
    enum { EACH = BLOCKS * 8 };
    float4 all[EACH], half[EACH / 2];
#pragma unroll
    for (int i = 0; i < EACH; i++)
        all[i] = box_fours(&v[i / 8][i % 8 * 4]);
    if (j.plan.wk == 1)
        return box_give<EACH>(j, shared, all, to);
    const uint32_t mine = threadIdx.x % 128 * 16;
#pragma unroll
    for (int i = 0; i < EACH / 2; i++) {
        const float4 other = warpgroup == 0 ? all[EACH / 2 + i] : all[i];
        half[i] = warpgroup == 0 ? all[i] : all[EACH / 2 + i];
        shared_put_floats(shared.swap(warpgroup * (EACH / 2) + i) + mine, other.x, other.y, other.z,
                          other.w);
    }
    named_sync<BOX_PRODUCERS>(2);
#pragma unroll
    for (int i = 0; i < EACH / 2; i++) {
        const float4 other =
            shared_get_floats(shared.swap((1 - warpgroup) * (EACH / 2) + i) + mine);
        half[i].x += other.x, half[i].y += other.y, half[i].z += other.z, half[i].w += other.w;
    }
    box_give<EACH>(j, shared, half, to);
}

} // namespace

#endif
