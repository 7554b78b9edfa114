/* What box_kernel.h is told, where its parts lie in shared memory, and its product: Hopper's of a
 * warpgroup, D (64 x 64 floats, in registers) += A (64 x 16 halves, in registers) times B (64 x 16
 * halves, transposed, in shared memory). Thread t holds of A rows t / 4 % 8 + 16 (t / 32) and 8
 * further, of columns 2 (t % 4), the next, and those 8 further. */
#ifndef HPC_CONV2D_BOX_JOB_H
#define HPC_CONV2D_BOX_JOB_H

#include "conv2d/variants/box_plan.h"
#include "conv2d/variants/hopper_product.h"

namespace
{

struct box_job {
    struct conv2d_problem p;
    struct box_plan plan;
    struct box_memory memory;
    const char *weights; /* halves: box_weights.h */
    const float *unit;   /* of each filter's sums */
    int binades;         /* of x beside each other: wide_binades() */
    int chunks, each;    /* of 32 channels: in all, and a block's */
    int rows;            /* steps of a chunk */
    int tiles, across;   /* of an image */
    int patch_columns, patch_pixels;
    int y_rows, y_columns;
    int by_columns, by_across; /* wide_inverse() of tw, across */
    int full, spare;           /* pieces that each block of a cluster adds; as many add one more */
    int w_users;               /* warps that multiply by a stage of weights */
    bool fetched;              /* x comes as far as the L2 before it may be read */
    bool mapped;               /* the copy engine can copy x: else a warp does */
    int shift[BOX_TAPS]; /* 16 times the pixels of the patch from an output's first one to a tap's
                          */
};

enum {
    BOX_THREADS = 384,
    /* named barriers: what is filled, what is emptied may be waited for */
    BOX_FULL_SET = 3,
    BOX_EMPTY_SET = 4,
};

/* Barriers, one after another. */
enum {
    BOX_RECEIVED,
    BOX_UNITS_FULL,
    BOX_LOOKED,
    BOX_X_FULL,
    BOX_W_FULL = BOX_X_FULL + BOX_MOST_X,
    BOX_X_EMPTY = BOX_W_FULL + BOX_MOST_STAGES,
    BOX_W_EMPTY = BOX_X_EMPTY + BOX_MOST_X,
    BOX_BARRIERS = BOX_W_EMPTY + BOX_MOST_STAGES,
    BOX_LEAST = 8 * BOX_BARRIERS, /* bytes: what the lookers found */
};

/* Shared memory: addresses. */
struct box_shared {
    const box_job &j;
    uint32_t base;

    DEVICE box_shared(const box_job &job, const void *memory)
        : j(job), base((shared_address(memory) + 1023) & ~1023u)
    {
    }
    DEVICE uint32_t x(int stage) const
    {
        return base + stage * j.memory.x_stage;
    }
    DEVICE uint32_t w(int stage) const
    {
        return base + j.memory.w + stage * j.memory.w_stage;
    }
    DEVICE uint32_t inbox(int slot, int source) const
    {
        return base + j.memory.inbox + (slot * j.plan.cluster + source) * BOX_PIECE;
    }
    DEVICE uint32_t swap(int piece) const
    {
        return base + j.memory.swap + piece * BOX_PIECE;
    }
    DEVICE uint32_t barrier(int number) const
    {
        return base + j.memory.tables + 8 * number;
    }
    DEVICE uint32_t x_full(int stage) const
    {
        return barrier(BOX_X_FULL + stage);
    }
    DEVICE uint32_t x_empty(int stage) const
    {
        return barrier(BOX_X_EMPTY + stage);
    }
    DEVICE uint32_t w_full(int stage) const
    {
        return barrier(BOX_W_FULL + stage);
    }
    DEVICE uint32_t w_empty(int stage) const
    {
        return barrier(BOX_W_EMPTY + stage);
    }
    DEVICE uint32_t least(int warp) const
    {
        return base + j.memory.tables + BOX_LEAST + 4 * warp;
    }
    DEVICE uint32_t unit(int filter) const
    {
        return base + j.memory.tables + BOX_UNITS + 4 * filter;
    }
};

struct box_ring {
    int stage, parity;

    DEVICE void next(int stages, int steps = 1)
    {
        stage += steps;
        if (stage >= stages) {
            stage -= stages;
            parity ^= 1;
        }
    }
};

/* A block's share: its tile, chunks, filters. */
struct box_share {
    int image, top, left; /* of the tile's outputs */
    int begin, count;     /* chunks */
    int filter;           /* the first one */

    DEVICE box_share(const box_job &j)
    {
        const int z = blockIdx.z;
        image = j.p.n == 1 ? 0 : z / j.tiles;
        const int tile = z - image * j.tiles, row = wide_over(tile, j.by_across);
        top = row * j.plan.th;
        left = (tile - row * j.across) * j.plan.tw;
        begin = blockIdx.x * j.each;
        count = min(j.each, j.chunks - begin);
        filter = blockIdx.y * BOX_FILTERS * j.plan.blocks;
    }
};

/* 8 columns of B, 16 bytes apart, are 128 bytes from the next 8; its further eight rows 1024. */
DEVICE uint64_t box_operand(uint32_t address)
{
    return (uint64_t)((address & 0x3ffff) >> 4) | (uint64_t)(BOX_FILTERS * 16 >> 4) << 16 |
           (uint64_t)(128 >> 4) << 32;
}

/* d = a b + (keep ? d : 0). */
DEVICE void box_product(float (&d)[32], const uint32_t *a, uint64_t b, int keep)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %37, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {" NAMES_32
                 "}, {%32, %33, %34, %35}, %36, p, 1, 1, 0;\n}"
                 : D_32(0)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(keep));
}

DEVICE void box_load(uint32_t at, float *v)
{
    asm volatile("ld.shared.v4.f32 {%0,%1,%2,%3}, [%4];"
                 : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3])
                 : "r"(at)
                 : "memory");
}

} // namespace

#endif
