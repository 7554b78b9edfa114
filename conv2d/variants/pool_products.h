/* The products of the fused convolution-pooling: a warpgroup's 64 outputs times FILTERS filters.
 *
 * One product (halves; TF32): sums go on in the tensor core's registers over all of K. TF32's S of
 * a chunk has a scale, which seldom changes: then the registers are brought to the new one.
 *
 * Three products: pool_three.h; few rows, whatever the products: pool_few.h. */
#ifndef HPC_CONV2D_POOL_PRODUCTS_H
#define HPC_CONV2D_POOL_PRODUCTS_H

#include "conv2d/variants/hopper_product.h"
#include "conv2d/variants/pool_tile.h"
#include "conv2d/variants/pool_weights.h"

namespace
{

/* Which stages a warpgroup is at, all along. */
template <class F> struct product_stages {
    uint32_t base;
    ring<F::S_STAGES> s;
    ring<F::W_STAGES> w;
    int lane;

    DEVICE product_stages(uint32_t base_, int group, int lane_)
        : base(base_), s(0), w(0), lane(lane_)
    {
        s.skip(group);
    }

    /* Waits for S of the next chunk; its scale, negative where bits are lost. */
    DEVICE float wait_sums() const
    {
        float unscale = 1;
        barrier_wait(F::s_full(base, s.stage), s.parity);
        if (F::PAIR && threadIdx.x % 128 == 0 && s.stage % 2 != (int)cluster_rank())
            barrier_expect(F::s_full(base, s.stage), F::S_COPIED); /* the next one */
        if (F::FLOATS)
            asm volatile("ld.shared.f32 %0, [%1];"
                         : "=f"(unscale)
                         : "r"(F::scale_of(base, s.stage))
                         : "memory");
        return unscale;
    }

    DEVICE uint64_t sums(int tap, int half) const
    {
        const int r = tap / 3, t = tap % 3;
        const uint32_t at = base + F::S_AT + s.stage * F::S_STAGE + half * F::S_HALF;
        return operand<F::ROW_BYTES>(at + F::tap_row(r, t) * F::ROW_BYTES,
                                     F::tap_pitch(t) * F::ROW_BYTES);
    }

    DEVICE uint64_t weights(int stage, int half) const
    {
        return operand<F::ROW_BYTES>(base + F::W_AT, 8 * F::ROW_BYTES) +
               (uint64_t)((stage * F::W_STAGE + half * F::W_HALF) >> 4);
    }

    DEVICE void free_sums(int stage) const
    {
        if (lane != 0)
            return;
        if (F::PAIR)
            cluster_arrive(cluster_address(F::s_empty(base, stage), stage % 2));
        else
            barrier_arrive(F::s_empty(base, stage));
    }

    DEVICE void free_weights(int stage) const
    {
        if (!F::HELD && lane == 0)
            barrier_arrive(F::w_empty(base, stage));
    }
};

/* d = a b + (keep ? d : 0) over a chunk's channels. */
template <class F>
DEVICE void add_chunk(float (&d)[F::FILTERS / 2], uint64_t a, uint64_t b, bool keep)
{
#pragma unroll
    for (int k = 0; k < F::CHUNK / 16; k++)
        product<F::FILTERS>::add(d, a + 2 * k, b + 2 * k, keep || k > 0);
}

template <class F, int PRODUCTS, int FEW> struct tile_sums;

template <class F> struct tile_sums<F, 1, 0> {
    /* Taps between two waits: short ones go together, where there is room for three such batches:
     * one under way, one that follows, one on its way here. */
    enum { BATCH = F::HELD ? 9 : F::CHUNK * F::FILTERS <= 4096 && F::W_STAGES >= 9 ? 3 : 1 };
    float v[F::FILTERS / 2], scale;
    int s_before, w_before; /* what the products under way read; -1: none */

    DEVICE void scale_to(float before, float unscale)
    {
        products_wait<0>();
#pragma unroll
        for (int i = 0; i < F::FILTERS / 2; i++)
            v[i] *= before / unscale;
    }

    /* The taps of a batch. */
    DEVICE void add_taps(product_stages<F> *at, int batch, bool keep)
    {
        ring<F::W_STAGES> w = at->w;
        barrier_wait(F::w_full(at->base, w.stage), w.parity);
#pragma unroll
        for (int t = 1; t < BATCH; t++) {
            w.next();
            barrier_wait(F::w_full(at->base, w.stage), w.parity);
        }
        products_begin();
#pragma unroll
        for (int t = 0; t < BATCH; t++, at->w.next()) {
            const int tap = batch * BATCH + t;
            add_chunk<F>(v, at->sums(tap, 0), at->weights(at->w.stage, 0), keep || tap > 0);
        }
        products_end();
    }

    static DEVICE void free_taps(const product_stages<F> *at, int *first)
    {
        if (*first < 0)
            return;
#pragma unroll
        for (int t = 0; t < BATCH; t++)
            at->free_weights(BATCH > 1 ? (*first + t) % F::W_STAGES : *first);
        *first = -1;
    }

    /* A tile, whose last products are still under way; says whether bits were lost. */
    DEVICE bool multiply(product_stages<F> *at, int chunks)
    {
        bool lost = false;
        scale = 1;
        s_before = w_before = -1;
        if (F::HELD)
            at->w = ring<F::W_STAGES>(0);
#pragma unroll 1
        for (int chunk = 0; chunk < chunks; chunk++) {
            const float read = at->wait_sums(), unscale = fabsf(read);
            if (F::FLOATS) {
                lost |= read < 0;
                if (chunk && unscale != scale)
                    scale_to(scale, unscale);
                scale = unscale;
            }
#pragma unroll
            for (int batch = 0; batch < 9 / BATCH; batch++) {
                const int first = at->w.stage;
                add_taps(at, batch, chunk > 0);
                products_wait<1>(); /* the batch before this one is done */
                free_taps(at, &w_before);
                if (batch == 0 && s_before >= 0)
                    at->free_sums(s_before);
                w_before = first;
            }
            s_before = at->s.stage;
            at->s.skip(F::GROUPS);
            if (F::S_STAGES < 2 * F::GROUPS) { /* else the next sums would wait for their taps */
                products_wait<0>();
                free_taps(at, &w_before);
                at->free_sums(s_before);
                s_before = -1;
            }
        }
        return lost;
    }

    /* Leaves the tile's sums in v. */
    DEVICE void finish(const product_stages<F> *at)
    {
        products_wait<0>();
        free_taps(at, &w_before);
        if (s_before >= 0)
            at->free_sums(s_before);
        if (F::FLOATS)
#pragma unroll
            for (int i = 0; i < F::FILTERS / 2; i++)
                v[i] *= scale;
    }
};

} // namespace

#endif
