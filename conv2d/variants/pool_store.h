/* A warpgroup's outputs: from registers to y. A warp has 16 rows of the subtile. Each tells whether
 * some value of its own is no number, or infinite. */
#ifndef HPC_CONV2D_POOL_STORE_H
#define HPC_CONV2D_POOL_STORE_H

#include "conv2d/variants/pool_mend.h"
#include "conv2d/variants/pool_sums.h"

namespace
{

/* Stays 0 as long as all v are finite. */
DEVICE void watch(float v, float *watched)
{
    *watched = fmaf(v, 0.0f, *watched);
}

/* Where in y the two rows of a lane lie, 8 h + lane / 4 of its warp's 16: worked out, and said to
 * be so, while the last products are under way. */
struct warp_rows {
    long long at[2];
    int there[2];

    template <class F>
    static DEVICE warp_rows of(const pool_call &call, int subtile, int filter, int warp, int lane)
    {
        warp_rows rows;
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const pool_place at = place_of<F>(call, subtile, warp * 16 + h * 8 + lane / 4);
            rows.at[h] = (long long)(place_index<F>(call, at) + filter * filter_step<F>(call));
            rows.there[h] = at.there;
            asm volatile("" : "+l"(rows.at[h]), "+r"(rows.there[h]));
        }
        return rows;
    }
};

/* What the sums of a lane's filters, two of every 8, are multiplied by: on their way meanwhile. */
template <class F> struct filter_scales {
    float2 v[F::STORED / 8];

    DEVICE filter_scales(const pool_call &call, int filter, int lane)
    {
#pragma unroll
        for (int j = 0; j < F::STORED / 8; j++)
            asm volatile("ld.global.nc.v2.f32 {%0, %1}, [%2];"
                         : "=f"(v[j].x), "=f"(v[j].y)
                         : "l"(call.unscale + filter + lane % 4 * 2 + 8 * j));
    }
};

/* Floats: a thread has two neighbours, four threads the 32 bytes of a sector. */
template <class F>
DEVICE bool store_floats(const pool_call &call, const float (&v)[F::FILTERS / 2],
                         const warp_rows &rows, const filter_scales<F> &unscale, int lane)
{
    float watched = 0;
#pragma unroll
    for (int h = 0; h < 2; h++) {
        float *to = (float *)call.y + rows.at[h] + lane % 4 * 2;
#pragma unroll
        for (int j = 0; j < F::STORED / 8; j++) {
            const float a = v[4 * j + 2 * h] * unscale.v[j].x;
            const float b = v[4 * j + 2 * h + 1] * unscale.v[j].y;
            watch(a, &watched);
            watch(b, &watched);
            if (rows.there[h])
                *(float2 *)(to + 8 * j) = make_float2(a, b);
        }
    }
    return watched != 0; /* NaN */
}

/* Halves of so few filters that a warp has none for each of its threads. */
template <class F>
DEVICE bool store_few_halves(const pool_call &call, const float (&v)[F::FILTERS / 2],
                             const warp_rows &rows, int lane)
{
    float watched = 0;
#pragma unroll
    for (int h = 0; h < 2; h++) {
        __half *to = (__half *)call.y + rows.at[h] + lane % 4 * 2;
#pragma unroll
        for (int j = 0; j < F::STORED / 8; j++) {
            const float a = v[4 * j + 2 * h], b = v[4 * j + 2 * h + 1];
            watch(a, &watched);
            watch(b, &watched);
            if (rows.there[h])
                *(uint32_t *)(to + 8 * j) = halves_of(a * 0.25f, b * 0.25f);
        }
    }
    return watched != 0;
}

/* Halves: 32 columns at a time through shared memory, then 16 bytes a thread. */
template <class F>
DEVICE bool store_halves(const pool_call &call, const float (&v)[F::FILTERS / 2], uint32_t out,
                         const warp_rows &rows, int lane)
{
    float watched = 0;
#pragma unroll
    for (int part = 0; part < F::STORED / 32; part++) {
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const float *a = v + part * 16 + j * 8;
            uint32_t h[4];
#pragma unroll
            for (int e = 0; e < 4; e++) {
                watch(a[2 * e], &watched);
                watch(a[2 * e + 1], &watched);
                h[e] = halves_of(a[2 * e] * 0.25f, a[2 * e + 1] * 0.25f);
            }
            asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                             out + lane % 16 * F::OUT_PITCH + j * 32 + lane / 16 * 16),
                         "r"(h[0]), "r"(h[1]), "r"(h[2]), "r"(h[3])
                         : "memory");
        }
        __syncwarp();
        uint4 halves[2];
#pragma unroll
        for (int h = 0; h < 2; h++)
            halves[h] = load_16(out + (h * 8 + lane / 4) * F::OUT_PITCH + lane % 4 * 16);
        __syncwarp();
#pragma unroll
        for (int h = 0; h < 2; h++) {
            __half *to = (__half *)call.y + rows.at[h] + part * 32;
            if (rows.there[h])
                *(uint4 *)(to + lane % 4 * 8) = halves[h];
        }
    }
    return watched != 0;
}

/* NCHW: eight lanes have the eight neighbours of a row of outputs. */
template <class F>
DEVICE bool store_maps(const pool_call &call, const float (&v)[F::FILTERS / 2],
                       const warp_rows &rows, int filter, int lane)
{
    typedef typename F::element T;
    const size_t step = filter_step<F>(call);
    float watched = 0;
#pragma unroll
    for (int h = 0; h < 2; h++) {
        T *to = (T *)call.y + rows.at[h] + lane % 4 * 2 * step;
#pragma unroll
        for (int j = 0; j < F::STORED / 8; j++, to += 8 * step) {
            float2 unscale = make_float2(0.25f, 0.25f);
            if (F::FLOATS)
                unscale = __ldg((const float2 *)(call.unscale + filter + lane % 4 * 2 + 8 * j));
            const float a = v[4 * j + 2 * h], b = v[4 * j + 2 * h + 1];
            watch(F::FLOATS ? a * unscale.x : a, &watched);
            watch(F::FLOATS ? b * unscale.y : b, &watched);
            if (rows.there[h]) {
                to[0] = T(a * unscale.x);
                to[step] = T(b * unscale.y);
            }
        }
    }
    return watched != 0;
}

/* Blocks of a cluster that share K: each gets the others' sums of the filters that it stores, adds
 * them to its own and leaves them in the first of v. */
template <class F>
DEVICE void exchange_sums(float (&v)[F::FILTERS / 2], uint32_t base, int rank, int thread)
{
    enum { MINE = F::STORED / 2, VECTORS = MINE / 4, PITCH = 128 * 16 };
    const uint32_t inbox = base + F::X_AT + thread * 16;
    barrier_wait(F::others_ready(base), 0);
#pragma unroll
    for (int to = 0; to < F::SPLIT; to++) {
        if (to == rank)
            continue;
        const uint32_t barrier = cluster_address(F::received(base), to);
        const uint32_t there = cluster_address(inbox + (rank - (rank > to)) * VECTORS * PITCH, to);
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            const float *four = v + to * MINE + i * 4;
            cluster_send(there + i * PITCH, barrier,
                         make_float4(four[0], four[1], four[2], four[3]));
        }
    }
#pragma unroll
    for (int from = 1; from < F::SPLIT; from++)
#pragma unroll
        for (int i = 0; i < MINE; i++)
            v[i] = from == rank ? v[from * MINE + i] : v[i];
    cluster_receive(F::received(base));
#pragma unroll
    for (int i = 0; i < (F::SPLIT - 1) * VECTORS; i++) {
        const uint4 four = load_16(inbox + i * PITCH);
        float *to = v + i % VECTORS * 4;
        to[0] += __uint_as_float(four.x);
        to[1] += __uint_as_float(four.y);
        to[2] += __uint_as_float(four.z);
        to[3] += __uint_as_float(four.w);
    }
}

} // namespace

#endif
