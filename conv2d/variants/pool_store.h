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
    float2 v[F::FILTERS / 8];

    DEVICE filter_scales(const pool_call &call, int filter, int lane)
    {
#pragma unroll
        for (int j = 0; j < F::FILTERS / 8; j++)
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
        for (int j = 0; j < F::FILTERS / 8; j++) {
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

/* Halves: 32 columns at a time through shared memory, then 16 bytes a thread. */
template <class F>
DEVICE bool store_halves(const pool_call &call, const float (&v)[F::FILTERS / 2], uint32_t out,
                         const warp_rows &rows, int lane)
{
    float watched = 0;
#pragma unroll
    for (int part = 0; part < F::FILTERS / 32; part++) {
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
        for (int j = 0; j < F::FILTERS / 8; j++, to += 8 * step) {
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

/* A cluster's split of K: this block's sums into its shared memory, in place of the stages. */
template <class F>
DEVICE void keep_partial(const float (&v)[F::FILTERS / 2], uint32_t base, int group, int warp,
                         int lane, bool lost)
{
    named_sync<F::PRODUCT_THREADS>(8);
    const float poison = lost ? __int_as_float(0x7fffffff) : 0;
#pragma unroll
    for (int h = 0; h < 2; h++) {
        const int m = group * 64 + warp * 16 + h * 8 + lane / 4;
        const uint32_t to = base + (m * F::PARTIAL_PITCH + lane % 4 * 2) * 4;
#pragma unroll
        for (int j = 0; j < F::FILTERS / 8; j++)
            asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(to + j * 32),
                         "f"(v[4 * j + 2 * h] + poison), "f"(v[4 * j + 2 * h + 1] + poison)
                         : "memory");
    }
}

/* All blocks have kept theirs: block `rank` adds up, stores and mends its share of the rows. */
template <class F>
DEVICE void store_split(const pool_call &call, uint32_t base, int rank, int subtile, int filter,
                        int thread)
{
    enum { ROWS = F::GROUPS * 64 / F::SPLIT, N = F::FLOATS ? 4 : 8, ACROSS = F::FILTERS / N };
#pragma unroll 1
    for (int i = thread; i < ROWS * ACROSS; i += F::PRODUCT_THREADS) {
        /* neighbouring threads have what are neighbours in y */
        const int m = rank * ROWS + (F::NCHW ? i % ROWS : i / ACROSS);
        const int k = (F::NCHW ? i / ROWS : i % ACROSS) * N;
        float sum[N] = {}, watched = 0;
#pragma unroll
        for (int block = 0; block < F::SPLIT; block++)
#pragma unroll
            for (int e = 0; e < N; e += 4) {
                const float4 v = cluster_load(base + (m * F::PARTIAL_PITCH + k + e) * 4, block);
                sum[e] += v.x;
                sum[e + 1] += v.y;
                sum[e + 2] += v.z;
                sum[e + 3] += v.w;
            }
        const pool_place at = place_of<F>(call, subtile + m / 64, m % 64);
        const size_t step = filter_step<F>(call);
        const size_t to = place_index<F>(call, at) + (filter + k) * step;
#pragma unroll
        for (int e = 0; e < N; e++) {
            watch(sum[e], &watched);
            sum[e] *= F::FLOATS ? call.unscale[filter + k + e] : 0.25f;
        }
        if (!at.there)
            continue;
        if constexpr (F::NCHW)
#pragma unroll
            for (int e = 0; e < N; e++)
                ((typename F::element *)call.y)[to + e * step] = typename F::element(sum[e]);
        else if constexpr (F::FLOATS)
            *(float4 *)((float *)call.y + to) = make_float4(sum[0], sum[1], sum[2], sum[3]);
        else
            *(uint4 *)((__half *)call.y + to) =
                make_uint4(halves_of(sum[0], sum[1]), halves_of(sum[2], sum[3]),
                           halves_of(sum[4], sum[5]), halves_of(sum[6], sum[7]));
        if (watched != 0)
            mend_piece<F, N>(call, at, filter + k);
    }
}

} // namespace

#endif
