/* conv_dense_split on Hopper: the products of a warpgroup, 64 filters times COLUMNS outputs.
 *
 * Two halves (fp32's accuracy): x w = upper upper + 2^-11 (lower upper + upper lower). The Tensor
 * Core's additions cut bits off; so it adds up three taps of 16 channels, 48 products, and floats
 * the rest, while the second term, which goes on in registers of its own, is under way. One half
 * (TF32's): sums stay where they are, and change their scale where x's changes. */
#ifndef HPC_CONV2D_WIDE_MULTIPLY_H
#define HPC_CONV2D_WIDE_MULTIPLY_H

#include "conv2d/variants/hopper_product.h"
#include "conv2d/variants/wide_job.h"

namespace
{

#define NAMES_28 TEN() ", " TEN(1) ", " EIGHT(2)
#define NAMES_40 TEN() ", " TEN(1) ", " TEN(2) ", " TEN(3)
#define NAMES_56 NAMES_40 ", " TEN(4) ", " SIX(5)
#define D_28(i)  D_16(i), D4(i + 16), D4(i + 20), D4(i + 24)
#define D_40(i)  D_32(i), D4(i + 32), D4(i + 36)
#define D_56(i)  D_32(i), D_16(i + 32), D4(i + 48), D4(i + 52)
PRODUCT(56, 28, 28, 29, 30)
PRODUCT(80, 40, 40, 41, 42)
PRODUCT(112, 56, 56, 57, 58)

/* Rows of 8 halves, 16 bytes apart, in groups of 8 rows that are `eight` bytes apart; the next 8
 * halves of the same rows lie `next` bytes on. No swizzle: any multiple of 16 may be an address. */
DEVICE uint64_t plain_operand(uint32_t address, int next, int eight)
{
    return (uint64_t)((address & 0x3ffff) >> 4) | (uint64_t)(next >> 4) << 16 |
           (uint64_t)(eight >> 4) << 32;
}

/* One output's products with one group's channels, in floats. */
DEVICE float wide_exact(const wide_job &j, const float *image, const float *w, int filter, int row,
                        int column, int group)
{
    const struct conv2d_problem &p = j.p;
    const int taps = p.r * p.s, begin = group * WIDE_GROUP * taps, all = p.c * taps;
    float sum = 0;
#pragma unroll 1
    for (int i = begin; i < min(begin + WIDE_GROUP * taps, all) && filter < p.k; i++) {
        const int c = i / taps, tap = i - c * taps, r = tap / p.s, s = tap - r * p.s;
        const int h = row * p.stride + r - p.pad, v = column * p.stride + s - p.pad;
        if (h >= 0 && h < p.h && v >= 0 && v < p.w)
            sum =
                fmaf(image[conv2d_x_at(&p, 0, c, h, v)], w[conv2d_w_at(&p, filter, c, r, s)], sum);
    }
    return sum;
}

template <int COLUMNS, int HALVES, int TAPS> struct wide_sums {
    enum { EACH = COLUMNS / 2 };
    const wide_job &j;
    const wide_shared &shared;
    int warpgroup, lane, first; /* first: bytes to its first pixel */
    float v[EACH];
    float main[HALVES == 2 ? EACH : 1], cross[HALVES == 2 ? EACH : 1];
    float unit;     /* of cross; with one half, of v; 0: there is nothing yet, or v is what it is */
    float top, low; /* units of the thread's two filters */
    bool fresh;     /* cross is to be overwritten */
    bool floats;    /* with one half: v has sums of floats, and goes on with such */
    int x_before, w_before; /* stages that the products under way read, or -1 */

    DEVICE wide_sums(const wide_job &job, const wide_shared &s, int warpgroup_)
        : j(job), shared(s), warpgroup(warpgroup_), lane(threadIdx.x % 32),
          first(wide_pixel(&job.plan, warpgroup_, 0) * 16)
    {
    }

    DEVICE void release(uint32_t barrier) const
    {
        if (lane == 0)
            barrier_arrive(barrier);
    }

    /* All products are done. */
    DEVICE void drain()
    {
        products_wait<0>();
        if (w_before >= 0)
            release(shared.w_empty(w_before));
        if (x_before >= 0)
            release(shared.x_empty(x_before));
        x_before = w_before = -1;
    }

    DEVICE void move_cross()
    {
        if constexpr (HALVES == 2)
            add_scaled(cross, unit * 0x1p-11f);
    }

    /* v += unit_now times each filter's unit times `from`. */
    DEVICE void add_scaled(const float (&from)[HALVES == 2 ? EACH : 1], float unit_now)
    {
        const float a = unit_now * top, b = unit_now * low;
#pragma unroll
        for (int i = 0; i < EACH && HALVES == 2; i++)
            v[i] = fmaf(from[i], i % 4 < 2 ? a : b, v[i]);
    }

    /* v in units of 1. */
    DEVICE void unscale()
    {
        const float a = unit * top, b = unit * low;
#pragma unroll
        for (int i = 0; i < EACH && HALVES == 1; i++)
            v[i] *= i % 4 < 2 ? a : b;
    }

    /* To the scale of the next stage. */
    DEVICE void scale_to(float next)
    {
        if (next == unit)
            return;
        if (unit != 0) {
            drain();
            move_cross();
#pragma unroll
            for (int i = 0; i < EACH && HALVES == 1; i++)
                v[i] *= unit / next;
        }
        unit = next;
        fresh = true;
    }

    /* A stage of weights, TAPS taps, with a stage of x. */
    DEVICE void add_taps(uint32_t x, uint32_t w, int row)
    {
        const uint64_t b0 = plain_operand(x + first, j.patch.apart * 16, j.plan.step * 16);
        const uint64_t a0 = plain_operand(w, WIDE_FILTERS * 16, 128);
        const int low_x = 2 * j.patch.apart;
        products_begin();
        if constexpr (HALVES == 1) {
#pragma unroll
            for (int t = 0; t < TAPS; t++)
                product<COLUMNS>::add(v, a0 + t * (WIDE_PIECE >> 4), b0 + j.shift[row][t], 1);
        } else {
#pragma unroll
            for (int t = 0; t < TAPS; t++)
                product<COLUMNS>::add(main, a0 + t * (WIDE_PIECE >> 3), b0 + j.shift[row][t],
                                      t > 0);
            products_end();
#pragma unroll
            for (int t = 0; t < TAPS; t++) {
                const uint64_t a = a0 + t * (WIDE_PIECE >> 3), b = b0 + j.shift[row][t];
                product<COLUMNS>::add(cross, a + (WIDE_PIECE >> 4), b, t > 0 || !fresh);
                product<COLUMNS>::add(cross, a, b + low_x, 1);
            }
            fresh = false;
        }
        products_end();
        products_wait<1>(); /* with two halves main is done, and what was before it */
    }

    /* Group `sub` of a stage of x with all its weights. */
    DEVICE void multiply(const wide_ring &xs, wide_ring *ws, int sub)
    {
        const uint32_t x = shared.x(xs.stage) + sub * j.patch.apart * 32 * HALVES;
#pragma unroll 1
        for (int row = 0; row < j.rows; row++) {
            barrier_wait(shared.w_full(ws->stage), ws->parity);
            add_taps(x, shared.w(ws->stage), row);
            if (w_before >= 0)
                release(shared.w_empty(w_before));
            if (x_before >= 0)
                release(shared.x_empty(x_before));
            x_before = -1;
            w_before = ws->stage;
            ws->next(j.plan.w_stages);
            if constexpr (HALVES == 2)
                add_scaled(main, unit);
        }
    }

    /* The same from x and w as they are, where halves can't hold them. */
    DEVICE void multiply_exact(const wide_ring &xs, wide_ring *ws, const wide_place &at,
                               const float *x, const float *w, int group)
    {
        drain();
        const float *image = x + (size_t)at.image * j.p.c * j.p.h * j.p.w;
        const int filter = blockIdx.y * WIDE_FILTERS + threadIdx.x % 128 / 32 * 16 + lane / 4;
        if (HALVES == 1 && !floats && unit != 0)
            unscale();
        floats = true;
#pragma unroll 1
        for (int i = 0; i < EACH; i++) {
            const int pixel = wide_pixel(&j.plan, warpgroup, i / 4 * 8 + lane % 4 * 2 + i % 2);
            const int u = pixel / j.patch.pitch, c = pixel - u * j.patch.pitch;
            float sum = 0;
            for (int sub = 0; sub < j.plan.deep; sub++)
                sum += wide_exact(j, image, w, filter + i % 4 / 2 * 8, at.top + u, at.left + c,
                                  group + sub);
#pragma unroll
            for (int k = 0; k < EACH; k++)
                v[k] += k == i ? sum : 0;
        }
#pragma unroll 1
        for (int row = 0; row < j.rows * j.plan.deep; row++) {
            barrier_wait(shared.w_full(ws->stage), ws->parity);
            release(shared.w_empty(ws->stage));
            ws->next(j.plan.w_stages);
        }
        release(shared.x_empty(xs.stage));
    }

    /* A tile's groups, or every second one of them. */
    DEVICE void tile(const wide_share &share, const wide_place &at, const float *x, const float *w,
                     wide_ring *xs, wide_ring *ws, int *seen)
    {
#pragma unroll
        for (int i = 0; i < EACH; i++)
            v[i] = 0;
        const int filter = blockIdx.y * WIDE_FILTERS + threadIdx.x % 128 / 32 * 16 + lane / 4;
        top = j.unit[filter];
        low = j.unit[filter + 8];
        unit = 0;
        fresh = true;
        floats = false;
        x_before = w_before = -1;
#pragma unroll 1
        for (int group = 0; group < share.count; group += j.plan.deep, xs->next(j.plan.x_stages)) {
            if (j.plan.wn == 1 && ((*seen)++ & 1) != warpgroup) {
                for (int row = 0; row < j.rows * j.plan.deep; row++)
                    ws->next(j.plan.w_stages);
                continue;
            }
            barrier_wait(shared.x_full(xs->stage), xs->parity);
            const float now = __int_as_float((int)shared_get(shared.unit(xs->stage)));
            if (now == 0 || j.exact || (HALVES == 1 && floats)) {
                multiply_exact(*xs, ws, at, x, w, share.begin + group);
                continue;
            }
            scale_to(now);
            for (int sub = 0; sub < j.plan.deep; sub++)
                multiply(*xs, ws, sub);
            x_before = xs->stage;
        }
        drain();
        if (HALVES == 2 && unit != 0)
            move_cross();
        if (HALVES == 1 && !floats)
            unscale();
    }
};

} // namespace

#endif
