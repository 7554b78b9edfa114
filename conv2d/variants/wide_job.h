/* What conv_dense_split's kernel for Hopper is told, and what its parts share. */
#ifndef HPC_CONV2D_WIDE_JOB_H
#define HPC_CONV2D_WIDE_JOB_H

#include "conv2d/variants/hopper_copy.h"
#include "conv2d/variants/wide_plan.h"

namespace
{

struct wide_job {
    struct conv2d_problem p;
    struct wide_plan plan;
    struct wide_patch patch;
    struct wide_memory memory;
    const char *weights; /* packed: wide_weights.h */
    const float *unit;   /* of each filter */
    int groups, each;    /* of 16 channels: in all, and a block's */
    int rows;            /* stages of weights that a group has */
    int filters;         /* blocks of 64 */
    int tiles, across;   /* of an image */
    int y_rows, y_columns;
    int over_pitch, over_cluster;        /* wide_inverse() */
    int fetched;                         /* groups of a block, before x may be read: wide_fetch.h */
    int binades;                         /* that the numbers of a stage may span */
    bool exact;                          /* weights that halves can't hold */
    int shift[WIDE_TAP_ROWS][WIDE_TAPS]; /* of each tap */
};

/* Stages used one after another, round and round: which one, and the parity of its phase. */
struct wide_ring {
    int stage, parity;

    DEVICE void next(int stages)
    {
        if (++stage == stages) {
            stage = 0;
            parity ^= 1;
        }
    }
};

/* Where a tile's outputs begin. */
struct wide_place {
    int image, top, left;

    DEVICE wide_place(const wide_job &j, int tile)
    {
        image = 0;
        if (j.p.n > 1) {
            image = tile / j.tiles;
            tile -= image * j.tiles;
        }
        const int row = tile / j.across;
        top = row * j.plan.th;
        left = (tile - row * j.across) * j.plan.tw;
    }
};

/* The groups of a block. */
struct wide_share {
    int begin, count, rank;

    DEVICE wide_share(const wide_job &j)
    {
        rank = blockIdx.x;
        begin = rank * j.each;
        count = min(j.each, j.groups - begin);
    }
};

/* Shared memory: addresses. At most 4 stages of x and 8 of weights. */
enum { WIDE_STAGE_BARRIERS = 24, WIDE_BARRIERS = 25 };

struct wide_shared {
    uint32_t base;
    const wide_job &j;

    DEVICE wide_shared(const wide_job &job, const void *memory)
        : base((shared_address(memory) + 127) & ~127u), j(job)
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
    DEVICE uint32_t inbox() const
    {
        return base + j.memory.inbox;
    }
    DEVICE uint32_t x_full(int stage) const
    {
        return base + j.memory.tables + 8 * stage;
    }
    DEVICE uint32_t x_empty(int stage) const
    {
        return x_full(4 + stage);
    }
    DEVICE uint32_t w_full(int stage) const
    {
        return x_full(8 + stage);
    }
    DEVICE uint32_t w_empty(int stage) const
    {
        return x_full(16 + stage);
    }
    DEVICE uint32_t received() const /* all that other blocks of the cluster send */
    {
        return x_full(WIDE_STAGE_BARRIERS);
    }
    DEVICE uint32_t unit(int stage) const /* a float: of a stage of x, 0: numbers would be lost */
    {
        return x_full(WIDE_BARRIERS) + 4 * stage;
    }
    DEVICE uint32_t range(int turn) const /* two words, three of them */
    {
        return x_full(WIDE_BARRIERS + 2 + turn);
    }
};

DEVICE void shared_put(uint32_t at, uint32_t v)
{
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(v) : "memory");
}

DEVICE uint32_t shared_get(uint32_t at)
{
    uint32_t v;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(at) : "memory");
    return v;
}

DEVICE void shared_put4(uint32_t at, const uint32_t v[4])
{
    asm volatile("st.shared.v4.u32 [%0], {%1,%2,%3,%4};" ::"r"(at), "r"(v[0]), "r"(v[1]), "r"(v[2]),
                 "r"(v[3])
                 : "memory");
}

DEVICE void shared_put_floats(uint32_t at, float a, float b, float c, float d)
{
    asm volatile("st.shared.v4.f32 [%0], {%1,%2,%3,%4};" ::"r"(at), "f"(a), "f"(b), "f"(c), "f"(d)
                 : "memory");
}

DEVICE float4 shared_get_floats(uint32_t at)
{
    float4 v;
    asm volatile("ld.shared.v4.f32 {%0,%1,%2,%3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "r"(at)
                 : "memory");
    return v;
}

} // namespace

#endif
