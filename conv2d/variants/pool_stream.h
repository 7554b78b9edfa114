/* The fused convolution-pooling without Hopper's instructions, for sm_80 and up: x comes into
 * shared memory once a block by cp.async, beside the products of the chunk before; all threads form
 * the sums S from there; weights come by cp.async, some taps ahead, a barrier a tap; mma.sync.
 *
 * A block of 8 warps has 64 outputs times FILTERS filters, a warp 16 MT x 8 NT of them. Columns of
 * S lie even ones first, then odd ones: so what eight neighbouring outputs read is eight
 * neighbouring rows, in different banks. Where tiles are few, `split` blocks share the channels
 * (stream_gather). Limited by shared memory: operands, and S, which every
 * filter tile's block forms again. */
#ifndef HPC_CONV2D_POOL_STREAM_H
#define HPC_CONV2D_POOL_STREAM_H

#include "conv2d/variants/stream_warp.h"

namespace
{

/* Where several blocks share the channels: the tile's last to come adds up what all have left, in
 * order. False in the others. Lost bits leave NaN, which store() mends. */
template <class F>
DEVICE bool stream_gather(const pool_call &call, stream_warp<F> *warp, int tile, int part,
                          int split, bool lost)
{
    __shared__ bool last;
    enum { SUMS = F::MT * F::NT };
    float4 *const all = call.partial + (size_t)tile * split * SUMS * F::THREADS + threadIdx.x;
#pragma unroll
    for (int i = 0; i < SUMS; i++) {
        float(&s)[4] = warp->sums(i / F::NT, i % F::NT);
        all[(part * SUMS + i) * F::THREADS] =
            lost ? make_float4(NAN, NAN, NAN, NAN) : make_float4(s[0], s[1], s[2], s[3]);
        s[0] = s[1] = s[2] = s[3] = 0;
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(&call.arrived[tile], 1) == split - 1;
        if (last)
            call.arrived[tile] = 0; /* for the next launch */
    }
    __syncthreads();
    if (!last)
        return false;
    __threadfence();
#pragma unroll 1
    for (int k = 0; k < split; k++)
#pragma unroll
        for (int i = 0; i < SUMS; i++) {
            const float4 v = __ldcg(&all[(k * SUMS + i) * F::THREADS]);
            float(&s)[4] = warp->sums(i / F::NT, i % F::NT);
            s[0] += v.x, s[1] += v.y, s[2] += v.z, s[3] += v.w;
        }
    return true;
}

template <class F> DEVICE void stream_block(const pool_call &call)
{
    extern __shared__ uint4 stream_memory[];
    const uint32_t base = (shared_address(stream_memory) + 127) & ~127u;
    const int split = gridDim.x / call.tiles, part = blockIdx.x % split, at = blockIdx.x / split;
    const int subtile = at / call.filter_tiles, tile = at % call.filter_tiles;
    const int chunks = call.p.conv.c / F::CHUNK / split, steps = chunks * 9, first = part * chunks;
    const uint4 *const from =
        (const uint4 *)call.packed + (size_t)(tile * split + part) * steps * F::W_BYTES / 16;
    stream_warp<F> warp;
    bool lost = false;
    stream_table<F>(call, subtile, base + F::TABLE_AT);
    __syncthreads();
    stream_x<F>(call, first * F::CHUNK, base);
#pragma unroll 1
    for (int i = 0; i < F::STAGES - 1; i++) {
        stream_w<F>(from + (size_t)i * F::W_BYTES / 16, base + F::W_AT + i * F::W_BYTES);
        stream_commit();
    }
#pragma unroll 1
    for (int chunk = 0; chunk < chunks; chunk++) {
        stream_wait<F::STAGES - 2>();
        __syncthreads(); /* x is there, the last S is no longer read */
        const float read = stream_form<F>(base);
        lost |= read < 0;
#pragma unroll 1
        for (int r = 0; r < 3; r++)
#pragma unroll
            for (int s = 0; s < 3; s++) {
                const int tap = r * 3 + s, ahead = chunk * 9 + tap + F::STAGES - 1;
                stream_wait<F::STAGES - 2>();
                __syncthreads(); /* S and this tap's weights are there, the last tap's free */
                if (ahead < steps)
                    stream_w<F>(from + (size_t)ahead * F::W_BYTES / 16,
                                base + F::W_AT + (tap + F::STAGES - 1) % F::STAGES * F::W_BYTES);
                if (tap == 0 && chunk + 1 < chunks)
                    stream_x<F>(call, (first + chunk + 1) * F::CHUNK, base);
                stream_commit();
                warp.multiply(base, base + F::W_AT + tap % F::STAGES * F::W_BYTES,
                              r * F::SIDE + (s == 1 ? (int)F::ODD : s / 2));
                if constexpr (F::FLOATS)
                    if (s == 2)
                        warp.move(warp.main, fabsf(read));
            }
        if constexpr (F::PRODUCTS == 3)
            warp.move(warp.cross, fabsf(read) / LOWER);
    }
    if (split > 1 && !stream_gather<F>(call, &warp, at, part, split, lost))
        return;
    warp.store(call, subtile, tile * F::FILTERS, lost && split == 1);
}

template <class F>
__global__ void __launch_bounds__(F::THREADS, F::BLOCKS) stream_kernel(const pool_call call)
{
    if constexpr (STREAM_THERE)
        stream_block<F>(call);
}

} // namespace

#endif
