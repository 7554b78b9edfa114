/* box_kernel.h's sums on their way to y. */
#ifndef HPC_CONV2D_BOX_STORE_H
#define HPC_CONV2D_BOX_STORE_H

#include "conv2d/variants/box_job.h"
#include "conv2d/variants/near_kernel.h"

namespace
{

enum { BOX_PRODUCERS = 256 }; /* threads that multiply */

struct box_writer {
    const box_job &j;
    const box_share &share;
    const float *x, *w;
    float *y;
    bool pairs; /* two filters of an output may be written at a time */

    DEVICE box_writer(const box_job &job, const box_share &mine, const float *x_, const float *w_,
                      float *y_)
        : j(job), share(mine), x(x_), w(w_), y(y_)
    {
        pairs = j.p.layout == CONV_NHWC && j.p.k % 2 == 0 && ((size_t)y_ & 7) == 0;
    }

    /* A sum that is not finite is made again in floats. */
    DEVICE float right(float sum, int filter, int row, int column) const
    {
        if (fabsf(sum) <= 3.4028235e38f || filter >= j.p.k)
            return sum;
        return near_exact(j.p, x, w, share.image, filter, row, column);
    }

    /* Sums of an output and two filters. */
    DEVICE void put(int output, int filter, float a, float b) const
    {
        const int u = wide_over(output, j.by_columns), row = share.top + u;
        const int column = share.left + output - u * j.plan.tw;
        if (u >= j.plan.th || row >= j.y_rows || column >= j.y_columns || filter >= j.p.k)
            return;
        a = right(a, filter, row, column);
        b = right(b, filter + 1, row, column);
        if (pairs) {
            const int pixel = (share.image * j.y_rows + row) * j.y_columns + column;
            *(float2 *)(y + (size_t)pixel * j.p.k + filter) = make_float2(a, b);
            return;
        }
        y[conv2d_y_at(&j.p, share.image, filter, row, column)] = a;
        if (filter + 1 < j.p.k)
            y[conv2d_y_at(&j.p, share.image, filter + 1, row, column)] = b;
    }

    /* A piece, 8 filters of 64 outputs, of EACH a warpgroup's outputs have: the thread's of it. */
    template <int EACH> DEVICE void piece(int number, float4 v) const
    {
        const int thread = threadIdx.x % 128;
        const int output = number / EACH * BOX_ROWS + thread / 32 * 16 + thread % 32 / 4;
        const int filter = share.filter + number % EACH * 8 + thread % 4 * 2;
        put(output, filter, v.x, v.y);
        put(output + 8, filter, v.z, v.w);
    }
};

DEVICE float4 box_fours(const float *v)
{
    return make_float4(v[0], v[1], v[2], v[3]);
}

/* To the block of the cluster that adds them, whose barrier counts bytes: piece i to i % cluster.
 */
DEVICE void box_send(uint32_t here, uint32_t barrier, int rank, float4 v)
{
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%0], "
                 "{%1,%2,%3,%4}, [%5];" ::"r"(cluster_address(here, rank)),
                 "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w), "r"(cluster_address(barrier, rank))
                 : "memory");
}

DEVICE void box_put_here(uint32_t at, float4 v)
{
    asm volatile("st.shared.v4.f32 [%0], {%1,%2,%3,%4};" ::"r"(at), "f"(v.x), "f"(v.y), "f"(v.z),
                 "f"(v.w)
                 : "memory");
}

DEVICE float4 box_get_here(uint32_t at)
{
    float4 v;
    asm volatile("ld.shared.v4.f32 {%0,%1,%2,%3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "r"(at)
                 : "memory");
    return v;
}

/* Adds what came, always in the same order. */
template <int EACH>
DEVICE void box_add(const box_job &j, const box_shared &shared, const box_writer &to)
{
    const int sources = box_sources(&j.plan), pieces = box_pieces(&j.plan);
    const int rank = blockIdx.x;
#pragma unroll 1
    for (int slot = threadIdx.x / 128; slot * j.plan.cluster + rank < pieces; slot += 2) {
        float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 4
        for (int i = 0; i < sources; i++) {
            const float4 v = box_get_here(shared.inbox(slot, i) + threadIdx.x % 128 * 16);
            sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
        }
        to.piece<EACH>(slot * j.plan.cluster + rank, sum);
    }
}

/* What a block's warpgroup made. */
template <int BLOCKS>
DEVICE void box_store(const box_job &j, const box_shared &shared, const float (&v)[BLOCKS][32],
                      int warpgroup, const box_writer &to)
{
    enum { EACH = BLOCKS * 8 };
    const int cluster = j.plan.cluster, wk = j.plan.wk;
    const bool second = wk == 1 && warpgroup == 1;
    const int source = blockIdx.x * wk + (wk == 1 ? 0 : warpgroup);
    int slot = second ? j.slot : 0, rank = second ? j.rank : 0;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const float4 four = box_fours(&v[i / 8][i % 8 * 4]);
        const uint32_t at = shared.inbox(slot, source) + threadIdx.x % 128 * 16;
        if (box_sources(&j.plan) == 1)
            to.piece<EACH>(second ? EACH + i : i, four);
        else if (cluster > 1)
            box_send(at, shared.received(), rank, four);
        else
            box_put_here(at, four);
        if (++rank == cluster) {
            rank = 0;
            slot++;
        }
    }
    if (box_sources(&j.plan) == 1)
        return;
    if (cluster > 1)
        asm volatile("{\n.reg .pred p;\n"
                     "again:\n"
                     "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\n"
                     "@!p bra again;\n}" ::"r"(shared.received())
                     : "memory");
    else
        named_sync<BOX_PRODUCERS>(2);
    box_add<EACH>(j, shared, to);
}

} // namespace

#endif
