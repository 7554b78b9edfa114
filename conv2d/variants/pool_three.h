/* Three products (fp32's accuracy) of the fused convolution-pooling: S w = hi hi + 2^-11 (lo hi +
 * hi lo), lo as pool_weights.h has it.
 *
 * The tensor core cuts what it adds, so the first term is moved to floats every EVERY taps, 32 or
 * 96 products; the second one goes on in registers of its own. With positive inputs the cut parts
 * add up, so few products (32 filters stand beside 32 channels) want to be moved often to be as
 * right as sums of floats. A move stands behind second terms, so that the tensor core has work
 * meanwhile: a tap's, or of a row of three taps those of two, 512 cycles with 128 filters. */
#ifndef HPC_CONV2D_POOL_THREE_H
#define HPC_CONV2D_POOL_THREE_H

#include "conv2d/variants/pool_products.h"

namespace
{

template <class F> struct tile_sums<F, 3, 0> {
    enum { EVERY = F::FILTERS <= 32 ? 1 : 3 };
    float v[F::FILTERS / 2], main[F::FILTERS / 2], cross[F::FILTERS / 2];
    float scale;
    int s_before, w_before[2]; /* what the products under way read; -1: none */

    DEVICE void move_main(float unscale)
    {
#pragma unroll
        for (int i = 0; i < F::FILTERS / 2; i++)
            v[i] = fmaf(main[i], unscale, v[i]);
    }

    DEVICE void move_cross(float unscale)
    {
        products_wait<0>();
#pragma unroll
        for (int i = 0; i < F::FILTERS / 2; i++)
            v[i] = fmaf(cross[i], unscale / LOWER, v[i]);
    }

    DEVICE void add_main(const product_stages<F> *at, int tap, int w, bool keep)
    {
        add_chunk<F>(main, at->sums(tap, 0), at->weights(w, 0), keep);
    }

    DEVICE void add_cross(const product_stages<F> *at, int tap, int w, bool keep)
    {
        add_chunk<F>(cross, at->sums(tap, 1), at->weights(w, 0), keep);
        add_chunk<F>(cross, at->sums(tap, 0), at->weights(w, 1), true);
    }

    /* The next stage of weights, there. */
    DEVICE int next_weights(product_stages<F> *at)
    {
        const int w = at->w.stage;
        barrier_wait(F::w_full(at->base, w), at->w.parity);
        at->w.next();
        return w;
    }

    DEVICE void free_before(const product_stages<F> *at)
    {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            if (w_before[i] >= 0)
                at->free_weights(w_before[i]);
            w_before[i] = -1;
        }
        if (s_before >= 0)
            at->free_sums(s_before);
        s_before = -1;
    }

    /* A tap whose first term goes to floats while its second one is under way. */
    DEVICE void add_tap(product_stages<F> *at, int tap, bool keep_cross, float unscale)
    {
        const int w = next_weights(at);
        products_begin();
        add_main(at, tap, w, false);
        products_end();
        add_cross(at, tap, w, keep_cross);
        products_end();
        products_wait<1>(); /* main, and all before it */
        free_before(at);
        w_before[0] = w;
        move_main(unscale);
    }

    /* A row of three taps: first terms go to floats while two taps' second ones are under way. */
    DEVICE void add_row(product_stages<F> *at, int r, bool keep_cross, float unscale)
    {
        const int w = next_weights(at);
        products_begin();
        add_main(at, 3 * r, w, false);
        add_cross(at, 3 * r, w, keep_cross);
        products_end();
        products_wait<1>(); /* the row before this one is done */
        free_before(at);
        w_before[0] = next_weights(at);
        products_begin();
        add_main(at, 3 * r + 1, w_before[0], true);
        w_before[1] = next_weights(at);
        add_main(at, 3 * r + 2, w_before[1], true);
        products_end();
        add_cross(at, 3 * r + 1, w_before[0], true);
        add_cross(at, 3 * r + 2, w_before[1], true);
        products_end();
        products_wait<1>();
        at->free_weights(w);
        move_main(unscale);
    }

    DEVICE bool multiply(product_stages<F> *at, int chunks)
    {
        bool lost = false;
        scale = 1;
        s_before = w_before[0] = w_before[1] = -1;
#pragma unroll
        for (int i = 0; i < F::FILTERS / 2; i++)
            v[i] = 0;
        if (F::HELD)
            at->w = ring<F::W_STAGES>(0);
#pragma unroll 1
        for (int chunk = 0; chunk < chunks; chunk++) {
            const float read = at->wait_sums(), unscale = fabsf(read);
            const bool changed = chunk == 0 || unscale != scale;
            lost |= read < 0;
            if (chunk && changed)
                move_cross(scale);
            scale = unscale;
#pragma unroll
            for (int r = 0; r < 3; r++) {
                at->base = anew(at->base);
                if (EVERY == 3)
                    add_row(at, r, r > 0 || !changed, unscale);
                for (int t = 0; t < 3 && EVERY == 1; t++)
                    add_tap(at, 3 * r + t, r > 0 || t > 0 || !changed, unscale);
            }
            s_before = at->s.stage;
            at->s.next();
            if (F::S_STAGES < 2) {
                products_wait<0>();
                free_before(at);
            }
        }
        return lost;
    }

    DEVICE void finish(const product_stages<F> *at)
    {
        move_cross(scale);
        free_before(at);
    }
};

} // namespace

#endif
