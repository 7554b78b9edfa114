/* The products of a warp of near_kernel.h: the steps wk, wk + plan.wk, .. of its block. HALVES: 2
 * for fp32's accuracy, by three products, 1 for TF32's, by one. */
#ifndef HPC_CONV2D_NEAR_WARP_H
#define HPC_CONV2D_NEAR_WARP_H

#include "conv2d/variants/near_patch.h"

namespace
{

template <int MT, int NT, int HALVES, bool ONE> struct near_warp {
    const near_job &j;
    int wm, wn, wk, lane;
    const uint4 *weights; /* of its first filters at the block's first step, the lane's */
    size_t across;        /* from 16 filters to the next 16 */
    int now, steps;       /* its next step, how many the block has */
    int tap, group;       /* of the next step; the group within the chunk */
    uint4 a[NEAR_HELD][MT][2];
    int pixel[NT]; /* of output 8 i + lane / 4: bytes to its first pixel, of the lane's quad */
    float sum[MT][NT][4];

    __device__ near_warp(const near_job &job, int filter) : j(job)
    {
        const int warp = threadIdx.x / 32, taps = j.p.r * j.p.s;
        lane = threadIdx.x % 32;
        wk = split_over(warp, j.by_wm); /* by wm wn */
        const int in = warp - wk * j.plan.wm * j.plan.wn;
        wn = in / j.plan.wm;
        wm = in - wn * j.plan.wm;
        const int begin = blockIdx.x * j.share;
        steps = (min(begin + j.share, j.groups) - begin) * taps;
        across = (size_t)j.groups * taps * 64;
        const int first = filter / 16 + wm * MT, last = j.filters - 1;
        weights = j.weights + min(first, last) * across + (size_t)begin * taps * 64 + lane;
        if (first + MT - 1 > last)
            across = 0; /* filters that do not exist: read others, write none */
        now = wk;
#pragma unroll
        for (int i = 0; i < NEAR_HELD; i++)
            load(a[i], now + i * j.plan.wk);
        group = now / taps;
        tap = now - group * taps;
        const int outputs = j.plan.th * j.plan.tw - 1;
#pragma unroll
        for (int i = 0; i < NT; i++) {
            const int n = min((wn * NT + i) * 8 + lane / 4, outputs);
            const int row = split_over(n, j.by_columns);
            pixel[i] =
                ((row * j.columns + n - row * j.plan.tw) * j.p.stride + lane % 4 * j.apart) * 16;
        }
#pragma unroll
        for (int i = 0; i < MT * NT * 4; i++)
            sum[i / 4 / NT][i / 4 % NT][i % 4] = 0;
    }

    /* Further weights on their way to the L2: a block a share of what all tiles want. */
    __device__ void fetch() const
    {
#pragma unroll 1
        for (int s = wk + (NEAR_HELD + lane / 8 * (int)gridDim.z + (int)blockIdx.z) * j.plan.wk;
             s < steps; s += 4 * gridDim.z * j.plan.wk)
#pragma unroll
            for (int m = 0; m < MT; m++)
                l2_prefetch(weights - lane + (size_t)s * 64 + m * across + lane % 8 * 8);
    }

    __device__ void load(uint4 to[MT][2], int step) const
    {
        const uint4 *from = weights + min(step, steps - 1) * 64;
#pragma unroll
        for (int m = 0; m < MT; m++) {
            to[m][0] = __ldg(from + m * across);
            to[m][1] = __ldg(from + m * across + 32);
        }
    }

    /* The Tensor Core's additions cut bits off: it adds up 16 products, smaller terms first, and
     * floats the rest. To TF32's accuracy it may add all. */
    __device__ void step(const uint4 (&w)[MT][2], const char *rows)
    {
        uint32_t up[MT][2][4], low[MT][2][4];
#pragma unroll
        for (int m = 0; m < MT; m++)
#pragma unroll
            for (int k = 0; k < 8; k++) {
                const uint32_t v = ((const uint32_t *)&w[m][k / 4])[k % 4];
                up[m][k / 4][k % 4] = HALVES == 2 ? near_upper(v) : v;
                low[m][k / 4][k % 4] = HALVES == 2 ? near_lower(v) : 0;
            }
#pragma unroll
        for (int i = 0; i < NT; i++) {
            const float4 v = *(const float4 *)(rows + pixel[i]);
            const float f[4] = {v.x, v.y, v.z, v.w};
            uint32_t b[4], rest[4];
#pragma unroll
            for (int k = 0; k < 4; k++) {
                const uint32_t bits = (uint32_t)__float_as_int(f[k]);
                b[k] = HALVES == 2 ? near_upper(bits) : near_round(f[k]);
                rest[k] = HALVES == 2 ? near_lower(bits) : 0;
            }
#pragma unroll
            for (int m = 0; m < MT; m++) {
                const uint32_t *const first = up[m][0], *const second = up[m][1];
                if (HALVES == 1) {
                    near_multiply(sum[m][i], first, b[0], b[1]);
                    near_multiply(sum[m][i], second, b[2], b[3]);
                    continue;
                }
                float part[4] = {0, 0, 0, 0};
                near_multiply(part, low[m][0], b[0], b[1]);
                near_multiply(part, low[m][1], b[2], b[3]);
                near_multiply(part, first, rest[0], rest[1]);
                near_multiply(part, second, rest[2], rest[3]);
                near_multiply(part, first, b[0], b[1]);
                near_multiply(part, second, b[2], b[3]);
#pragma unroll
                for (int k = 0; k < 4; k++)
                    sum[m][i][k] += part[k];
            }
        }
    }

    /* All steps, and the chunks of x that they want; ONE: there is one. */
    __device__ void multiply(const near_patch &patch)
    {
        const int taps = j.p.r * j.p.s, each = j.plan.chunk * taps;
        int chunk = -1, end = 0;
        const char *rows = patch.memory;
        const auto next_chunk = [&] {
            if (++chunk > 0) {
                __syncthreads(); /* the last chunk is no longer read */
                if (chunk + 1 < j.chunks)
                    patch.bring(chunk + 1);
                else
                    near_copies_end();
                group -= j.plan.chunk;
            }
            near_copies_wait<ONE ? 0 : 1>();
            __syncthreads();
            rows = patch.memory + (chunk & 1) * j.memory.buffer;
            end += each;
        };
        if (ONE) {
            near_copies_wait<0>();
            __syncthreads();
        } else {
            next_chunk();
        }
        while (now < steps) {
#pragma unroll
            for (int i = 0; i < NEAR_HELD; i++) {
                if (now >= steps)
                    break;
                while (!ONE && now >= end)
                    next_chunk();
                step(a[i], rows + group * (j.apart * 64) + j.shift[tap]);
                if (now + NEAR_HELD * j.plan.wk < steps)
                    load(a[i], now + NEAR_HELD * j.plan.wk);
                now += j.plan.wk;
                tap += j.plan.wk;
                while (tap >= taps) {
                    tap -= taps;
                    group++;
                }
            }
        }
        while (!ONE && chunk + 1 < j.chunks)
            next_chunk();
    }

    /* The warp's sums to the blocks that add them: fragment f to block f % split. */
    __device__ void send(char *inbox, uint64_t *barrier) const
    {
        const int split = j.plan.split, term = (int)blockIdx.x * j.plan.wk + wk;
        const int first = (wn * j.plan.wm + wm) * MT * NT;
        int slot = first / split, rank = first - slot * split;
#pragma unroll
        for (int i = 0; i < MT * NT; i++) {
            const float *s = sum[i / NT][i % NT];
            float4 *const to = (float4 *)(inbox + (slot * split * j.plan.wk + term) * 512) + lane;
            const float4 v = make_float4(s[0], s[1], s[2], s[3]);
            if (split > 1)
                near_send(to, barrier, rank, v);
            else
                *to = v;
            if (++rank == split) {
                rank = 0;
                slot++;
            }
        }
    }
};
} // namespace

#endif
