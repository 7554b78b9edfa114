/* The tiles of pool_stream.h, and what comes into a block's shared memory: x once, as it is, and
 * weights, some taps ahead. */
#ifndef HPC_CONV2D_STREAM_COPIES_H
#define HPC_CONV2D_STREAM_COPIES_H

#include "conv2d/variants/pool_portable.h"

/* Blocks of 256 filters that a multiprocessor has: before Hopper its shared memory holds one. */
#ifndef STREAM_WIDE_BLOCKS
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 900
#define STREAM_WIDE_BLOCKS 1
#else
#define STREAM_WIDE_BLOCKS 2
#endif
#endif

/* Below sm_80 no GPU has these copies; Hopper has kernels of its own. */
#if __CUDA_ARCH__ >= 800 && !HOPPER
#define STREAM_THERE 1
#else
#define STREAM_THERE 0
#endif

namespace
{

template <class T, int PRODUCTS_, int FILTERS_, int SMALL_> struct stream_tile {
    typedef T element;
    enum {
        NCHW = 0,
        PRODUCTS = PRODUCTS_,
        FILTERS = FILTERS_,
        SMALL = SMALL_, /* 4 images of 4 x 4 outputs, or 8 x 8 of one */
        FLOATS = sizeof(T) == 4,
        HALVES = PRODUCTS == 3 ? 2 : 1,
        CHUNK = 32,
        ROW_BYTES = 64,
        THREADS = 256,
        MT = FILTERS == 32 ? 1 : 2,            /* of a warp: 16 outputs each */
        NT = FILTERS >= 64 ? FILTERS / 32 : 2, /* 8 filters each */
        WARPS_M = 4 / MT,
        SHORT = 0,
        IMAGES = SMALL ? 4 : 1,
        OUT_ROWS = SMALL ? 4 : 8,
        OUT_COLUMNS = OUT_ROWS,
        SIDE = SMALL ? 9 : 17,            /* of S */
        ODD = (SIDE + 1) / 2,             /* where a row's odd columns begin */
        APART = SMALL ? 84 : SIDE * SIDE, /* rows from an image to the next */
        ROWS = IMAGES * APART,
        X_SIDE = SIDE + 1,
        X_PIXELS = IMAGES * X_SIDE * X_SIDE,
        PIECE = 16 / (int)sizeof(T), /* channels of 16 bytes */
        PIECES = CHUNK / PIECE,
        SEGMENT = SMALL ? SIDE : 6, /* rows of S that a thread goes down */
        SEGMENTS = (SIDE + SEGMENT - 1) / SEGMENT,
        ITEMS = IMAGES * SEGMENTS * SIDE * PIECES,
        S_HALF = (ROWS * ROW_BYTES + 127) / 128 * 128,
        W_HALF = FILTERS * ROW_BYTES,
        W_BYTES = W_HALF * HALVES,
        STAGES = FILTERS >= 128 || (FILTERS == 64 && PRODUCTS == 3) ? 3 : 9, /* a divisor of 9 */
        X_AT = S_HALF * HALVES,
        W_AT = X_AT + X_PIXELS * CHUNK * (int)sizeof(T),
        TABLE_AT = W_AT + STAGES * W_BYTES,
        RANGE_AT = TABLE_AT + X_PIXELS * 4,
        SHARED_BYTES = RANGE_AT + 64 + 128,
        /* that a multiprocessor has, by their registers */
        BLOCKS = (PRODUCTS == 3 && FILTERS == 128) || (FLOATS && FILTERS == 256) ? 1
                 : FILTERS == 256 ? STREAM_WIDE_BLOCKS
                                  : 2,
    };
};

/* 16 bytes on their way from device memory; zeros where there is nothing. */
DEVICE void stream_copy(uint32_t to, const void *from, bool there)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from),
                 "r"(there ? 16 : 0)
                 : "memory");
#endif
}

DEVICE void stream_commit()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

template <int N> DEVICE void stream_wait()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
#endif
}

DEVICE uint32_t stream_word(uint32_t at)
{
    uint32_t v;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(at) : "memory");
    return v;
}

DEVICE void stream_put(uint32_t at, uint32_t v)
{
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(v) : "memory");
}

/* Where each pixel of the block's patch is in x, in elements, or -1. */
template <class F> DEVICE void stream_table(const pool_call &call, int subtile, uint32_t table)
{
    const struct conv2d_problem &p = call.p.conv;
    const pool_place corner = place_of<F>(call, subtile, 0);
    for (int i = threadIdx.x; i < F::X_PIXELS; i += F::THREADS) {
        const int in = i / (F::X_SIDE * F::X_SIDE), pixel = i % (F::X_SIDE * F::X_SIDE);
        const int image = corner.image + in;
        const int row = corner.u * 2 + pixel / F::X_SIDE - p.pad;
        const int column = corner.v * 2 + pixel % F::X_SIDE - p.pad;
        const bool there = image < p.n && row >= 0 && row < p.h && column >= 0 && column < p.w;
        stream_put(table + 4 * i, there ? ((image * p.h + row) * p.w + column) * p.c : -1);
    }
}

template <class F> DEVICE void stream_x(const pool_call &call, int channel, uint32_t base)
{
    typedef typename F::element T;
    const T *const x = (const T *)call.x + channel + threadIdx.x % F::PIECES * F::PIECE;
#pragma unroll 4
    for (int i = threadIdx.x; i < F::X_PIXELS * F::PIECES; i += F::THREADS) {
        const int offset = (int)stream_word(base + F::TABLE_AT + i / F::PIECES * 4);
        stream_copy(base + F::X_AT + i * 16, x + max(offset, 0), offset >= 0);
    }
}

template <class F> DEVICE void stream_w(const uint4 *from, uint32_t to)
{
#pragma unroll
    for (int i = 0; i < (F::W_BYTES / 16 + F::THREADS - 1) / F::THREADS; i++) {
        const int at = i * F::THREADS + threadIdx.x;
        if (F::W_BYTES / 16 % F::THREADS == 0 || at < F::W_BYTES / 16)
            stream_copy(to + at * 16, from + at, true);
    }
}

} // namespace

#endif
