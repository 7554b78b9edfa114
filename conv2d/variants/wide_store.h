/* conv_dense_split on Hopper: a block's sums on their way to y. */
#ifndef HPC_CONV2D_WIDE_STORE_H
#define HPC_CONV2D_WIDE_STORE_H

#include "conv2d/variants/wide_job.h"

namespace
{

enum { WIDE_PRODUCERS = 256 }; /* threads that multiply */

struct wide_writer {
    const wide_job &j;
    float *y;                  /* the tile's first output of the thread's first filter */
    size_t to_second;          /* elements to that of its second one, 8 further */
    int rows, columns;         /* of the tile */
    int at;                    /* elements between two outputs */
    bool first, second, pairs; /* filters that exist; outputs that may be written two at a time */

    DEVICE wide_writer(const wide_job &job, const wide_place &place, float *y_) : j(job)
    {
        const int thread = threadIdx.x % 128, plane = j.y_rows * j.y_columns;
        const int filter = blockIdx.y * WIDE_FILTERS + thread / 32 * 16 + thread % 32 / 4;
        const bool nhwc = j.p.layout == CONV_NHWC;
        at = nhwc ? j.p.k : 1;
        y = y_ + (size_t)place.image * j.p.k * plane + (size_t)filter * (nhwc ? 1 : plane) +
            (size_t)(place.top * j.y_columns + place.left) * at;
        to_second = nhwc ? 8 : (size_t)8 * plane;
        rows = min(j.plan.th, j.y_rows - place.top);
        columns = min(j.plan.tw, j.y_columns - place.left);
        first = filter < j.p.k;
        second = filter + 8 < j.p.k;
        pairs = !nhwc && j.y_columns % 2 == 0 && j.plan.tw % 2 == 0 && ((size_t)y_ & 7) == 0;
    }

    /* Columns 8 piece + 2 (lane % 4) and the next of a warpgroup's product, of two filters: they
     * are neighbours in a row, the first one's column is even. */
    DEVICE void pair(int warpgroup, int piece, float4 v) const
    {
        const int pixel = wide_pixel(&j.plan, warpgroup, piece * 8 + threadIdx.x % 4 * 2);
        const int u = wide_over(pixel, j.over_pitch), c = pixel - u * j.patch.pitch;
        float *to = y + (u * j.y_columns + c);
        if (u >= rows || c >= columns)
            return;
        if (first)
            *(float2 *)to = make_float2(v.x, v.y);
        if (second)
            *(float2 *)(to + to_second) = make_float2(v.z, v.w);
    }

    DEVICE void single(int warpgroup, int piece, float4 v) const
    {
        const int pixel = wide_pixel(&j.plan, warpgroup, piece * 8 + threadIdx.x % 4 * 2);
        const int u = wide_over(pixel, j.over_pitch), c = pixel - u * j.patch.pitch;
        const bool a = u < rows && c < columns, b = u < rows && c + 1 < columns;
        float *to = y + (ptrdiff_t)(u * j.y_columns + c) * at;
        if (a && first)
            to[0] = v.x;
        if (b && first)
            to[at] = v.y;
        if (a && second)
            to[to_second] = v.z;
        if (b && second)
            to[to_second + at] = v.w;
    }
};

/* Sums that no other has terms of. */
template <int EACH>
DEVICE void wide_store(const wide_job &j, const wide_place &at, const float (&v)[EACH],
                       int warpgroup, float *y)
{
    const wide_writer to(j, at, y);
    if (to.pairs) { /* apart from the other, so that this is short: it waits for its instructions */
#pragma unroll
        for (int i = 0; i < EACH / 4; i++)
            to.pair(warpgroup, i, make_float4(v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]));
        return;
    }
#pragma unroll
    for (int i = 0; i < EACH / 4; i++)
        to.single(warpgroup, i, make_float4(v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]));
}

/* The warpgroup's sums to the blocks of the cluster that add them: piece i to block i % cluster. */
template <int EACH>
DEVICE void wide_send(const wide_job &j, const wide_shared &shared, const wide_share &share,
                      const float (&v)[EACH], int warpgroup)
{
    const int cluster = j.plan.cluster, sources = wide_sources(&j.plan);
    const int source = j.plan.wn == 1 ? share.rank * 2 + warpgroup : share.rank;
    const int first = j.plan.wn == 1 ? 0 : warpgroup * (EACH / 4);
#pragma unroll
    for (int i = 0; i < EACH / 4; i++) {
        const int piece = first + i, slot = wide_over(piece, j.over_cluster),
                  rank = piece - slot * cluster;
        const uint32_t here =
            shared.inbox() + (slot * sources + source) * WIDE_PIECE + threadIdx.x % 128 * 16;
        const float4 sum = make_float4(v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]);
        if (cluster > 1)
            cluster_send(cluster_address(here, rank), cluster_address(shared.received(), rank),
                         sum);
        else
            shared_put_floats(here, sum.x, sum.y, sum.z, sum.w);
    }
}

/* Adds what the block was sent, always in the same order. */
template <int EACH>
DEVICE void wide_add(const wide_job &j, const wide_shared &shared, const wide_share &share,
                     const wide_place &at, float *y)
{
    const int sources = wide_sources(&j.plan), pieces = EACH / 4 * j.plan.wn;
    const wide_writer to(j, at, y);
#pragma unroll 1
    for (int slot = threadIdx.x / 128; slot * j.plan.cluster + share.rank < pieces; slot += 2) {
        float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 4
        for (int i = 0; i < sources; i++) {
            const float4 v = shared_get_floats(shared.inbox() + (slot * sources + i) * WIDE_PIECE +
                                               threadIdx.x % 128 * 16);
            sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
        }
        const int piece = slot * j.plan.cluster + share.rank;
        const int warpgroup = piece >= EACH / 4;
        if (to.pairs)
            to.pair(warpgroup, piece - warpgroup * (EACH / 4), sum);
        else
            to.single(warpgroup, piece - warpgroup * (EACH / 4), sum);
    }
}

} // namespace

#endif
