/* conv1d/register_record: ours, the fastest known.
 *
 * Changes from register: five kernels, by the width of the mask and the length of the signal; in
 * all of them the mask is an argument of the kernel: it arrives with the launch, and
 * multiplications take their taps from there. Constant memory would have to be fetched first, for
 * half a microsecond.
 * What limits it, kernel by kernel:
 *
 * direct_kernel, up to LONG_RADIUS, and on signals from TINY to SHORT up to SHORT_RADIUS:
 *   register's. Limit: the memory; it takes as long as a copy of x to y.
 * short_kernel, on signals of up to TINY outputs with more taps, up to SHORT_RADIUS: direct_kernel
 *   without branches, since at the signal's ends warps go through both branches of 9 loads. Limit:
 *   the latency of a launch and of one load.
 * split_kernel, on such signals with wider masks, up to SPLIT_QUADS * 4 taps: a group of threads
 *   shares 4 outputs, each thread has SHARE taps, so that none goes through hundreds of
 *   multiplications one after another.
 * tile_kernel, up to TILE_QUADS * 4 taps. With many taps the loads that direct_kernel takes from
 *   the first-level cache would limit it: 9 of 16 bytes for 4 outputs of 31 taps. Here the block's
 *   part of x lies in shared memory, and a thread walks along it for 16 outputs, one load for 64
 *   multiplications. The outputs go back through shared memory, so that neighbours store side by
 *   side. Limit: the memory, up to some 40 taps.
 * wide_kernel, for all others: the same in a loop, 32 outputs a thread, CHUNK taps a launch.
 *   Limit: the multiplications, which are 94% of what its loop issues. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "conv1d/conv1d.h"

#include "register_record.h"

enum {
    LONG_RADIUS = 8,
    SHORT_RADIUS = 15,
    SHORT =
        1 << 20, /* outputs: shorter signals get threads of 4 outputs, so that there are enough */
    DIRECT_THREADS = 128,
    TINY = 1 << 14, /* outputs: split_kernel wins at 1e3 and loses at 1e5 */
    SPLIT_THREADS = 256,
    SPLIT_QUADS = 32, /* of taps, 4 each */
    SHARE = 8,        /* of taps, a thread's */
    TILE_QUADS = 16,
    STEP = 8,         /* quads: what wide_kernel's loop unrolls */
    WIDE_BLOCKS = 12, /* a multiprocessor: at most 80 registers a thread */
    CHUNK = 512,      /* taps: 2 KiB of the 4 KiB that a launch's arguments may take on any GPU */
};

template <int COUNT> struct taps {
    float w[COUNT];
};

template <int RADIUS>
__global__ void direct_kernel(const float *x, float *y, int64_t n,
                              const __grid_constant__ taps<2 * RADIUS + 1> mask)
{
    constexpr int HALO = (RADIUS + 3) / 4 * 4, WINDOW = 4 + 2 * HALO;
    const part p = part_of(x, y, n, 4 * DIRECT_THREADS, HALO, HALO);
    const int at = 4 * threadIdx.x;
    float window[WINDOW], sum[4] = {0, 0, 0, 0};
#pragma unroll
    for (int k = 0; k < WINDOW; k += 4) {
        const float4 v = load4(p, at - HALO + k);
        window[k] = v.x;
        window[k + 1] = v.y;
        window[k + 2] = v.z;
        window[k + 3] = v.w;
    }
#pragma unroll
    for (int j = 0; j < 2 * RADIUS + 1; j++)
#pragma unroll
        for (int o = 0; o < 4; o++)
            sum[o] += mask.w[j] * window[HALO - RADIUS + o + j];
    store4(p, at, make_float4(sum[0], sum[1], sum[2], sum[3]));
}

/* direct_kernel without branches, for TINY outputs and few blocks. The bound as in split_kernel. */
template <int RADIUS>
__global__ void __launch_bounds__(DIRECT_THREADS, 1)
    short_kernel(const float *x, float *y, int n, const __grid_constant__ taps<2 * RADIUS + 1> mask)
{
    constexpr int HALO = (RADIUS + 3) / 4 * 4, WINDOW = 4 + 2 * HALO;
    const int at = 4 * (int)(blockIdx.x * DIRECT_THREADS + threadIdx.x);
    float window[WINDOW], sum[4] = {0, 0, 0, 0};
    load_window<WINDOW>(window, x, n, at - HALO);
#pragma unroll
    for (int j = 0; j < 2 * RADIUS + 1; j++)
#pragma unroll
        for (int o = 0; o < 4; o++)
            sum[o] += mask.w[j] * window[HALO - RADIUS + o + j];
    store4({x, y, 0, n, false}, at, make_float4(sum[0], sum[1], sum[2], sum[3]));
}

/* `lead` as in tile_kernel. One block a multiprocessor will do: that leaves the compiler registers
 * for all loads at once. */
template <int LANES>
__global__ void __launch_bounds__(SPLIT_THREADS, 1)
    split_kernel(const float *x, float *y, int n, int lead,
                 const __grid_constant__ taps<SHARE * LANES> mask)
{
    const unsigned t = blockIdx.x * SPLIT_THREADS + threadIdx.x;
    const int lane = (int)(t % LANES), at = (int)(t / LANES) * 4;
    float window[SHARE + 4], sum[4] = {0, 0, 0, 0};
    load_window<SHARE + 4>(window, x, n, at - lead + SHARE * lane);
#pragma unroll
    for (int j = 0; j < SHARE; j++)
#pragma unroll
        for (int o = 0; o < 4; o++)
            sum[o] += mask.w[SHARE * lane + j] * window[o + j];
    const float own = add_lanes<LANES>(sum, lane);
    if (lane < 4 && at + lane < n)
        y[at + lane] = own;
}

/* `lead`: how far before an output its first tap reaches, a multiple of 4; the mask begins with
 * zeros where need be, and ends with them. */
template <int OUTPUTS, int QUADS>
__global__ void __launch_bounds__(THREADS)
    tile_kernel(const float *x, float *y, int64_t n, int lead,
                const __grid_constant__ taps<4 * QUADS> mask)
{
    constexpr int EACH = OUTPUTS / 4;
    __shared__ float4 tile[padded<OUTPUTS>(EACH * THREADS + QUADS)];
    const part p = part_of(x, y, n, OUTPUTS * THREADS, lead, 4 * QUADS - lead);
    const float4 *own = tile + padded<OUTPUTS>(EACH) * threadIdx.x;
    walk<OUTPUTS> a;
    load_tile<OUTPUTS>(tile, p, lead, QUADS);
    a.begin(own);
    a.template quads<QUADS>(own + padded<OUTPUTS>(EACH), mask.w);
    store_tile<OUTPUTS>(tile, p, a.sum, false);
}

/* steps * STEP * 4 taps, and REST * 4 more. `lead` as above, for the first of these taps; it may be
 * negative. add: to what is in y. REST is known to the compiler: a loop over it costs registers in
 * masks without a rest too, and with them blocks. */
template <int OUTPUTS, int REST>
__global__ void __launch_bounds__(THREADS, WIDE_BLOCKS)
    wide_kernel(const float *x, float *y, int64_t n, int lead,
                const __grid_constant__ taps<CHUNK> mask, int steps, bool add)
{
    constexpr int EACH = OUTPUTS / 4;
    __shared__ float4 tile[padded<OUTPUTS>(EACH * THREADS + CHUNK / 4)];
    const int extra = STEP * steps + REST;
    const part p = part_of(x, y, n, OUTPUTS * THREADS, lead, 4 * extra - lead);
    const float4 *own = tile + padded<OUTPUTS>(EACH) * threadIdx.x;
    const float4 *next = own + padded<OUTPUTS>(EACH);
    const float *w = mask.w;
    walk<OUTPUTS> a;
    load_tile<OUTPUTS>(tile, p, lead, extra);
    a.begin(own);
#pragma unroll 1
    for (int i = 0; i < steps; i++, next += padded<OUTPUTS>(STEP), w += 4 * STEP)
        a.template quads<STEP>(next, w);
    a.template quads<REST>(next, w);
    store_tile<OUTPUTS>(tile, p, a.sum, add);
}

struct conv {
    int64_t n;
    int radius, lead, quads; /* of taps, with the zeros that align them */
    float mask[];            /* these quads, and zeros up to a multiple of CHUNK */
};

template <int COUNT> static taps<COUNT> taps_from(const float *mask)
{
    taps<COUNT> t;
    memcpy(t.w, mask, sizeof t.w);
    return t;
}

static unsigned blocks_for(int64_t n, int outputs)
{
    return (unsigned)((n + outputs - 1) / outputs);
}

template <int RADIUS> static void launch_direct(const struct conv *s, const float *x, float *y)
{
    if constexpr (RADIUS < SHORT_RADIUS)
        if (s->radius > RADIUS)
            return launch_direct<RADIUS + 1>(s, x, y);
    direct_kernel<RADIUS><<<blocks_for(s->n, 4 * DIRECT_THREADS), DIRECT_THREADS>>>(
        x, y, s->n, taps_from<2 * RADIUS + 1>(s->mask + s->lead - RADIUS));
}

template <int RADIUS> static void launch_short(const struct conv *s, const float *x, float *y)
{
    if constexpr (RADIUS < SHORT_RADIUS)
        if (s->radius > RADIUS)
            return launch_short<RADIUS + 1>(s, x, y);
    short_kernel<RADIUS><<<blocks_for(s->n, 4 * DIRECT_THREADS), DIRECT_THREADS>>>(
        x, y, (int)s->n, taps_from<2 * RADIUS + 1>(s->mask + s->lead - RADIUS));
}

template <int LANES> static void launch_split(const struct conv *s, const float *x, float *y)
{
    if constexpr (4 * SPLIT_QUADS > SHARE * LANES)
        if (4 * s->quads > SHARE * LANES)
            return launch_split<2 * LANES>(s, x, y);
    split_kernel<LANES><<<blocks_for(s->n, 4 * SPLIT_THREADS / LANES), SPLIT_THREADS>>>(
        x, y, (int)s->n, s->lead, taps_from<SHARE * LANES>(s->mask));
}

template <int OUTPUTS, int QUADS>
static void launch_tile(const struct conv *s, const float *x, float *y)
{
    if constexpr (QUADS < TILE_QUADS)
        if (s->quads > QUADS)
            return launch_tile<OUTPUTS, QUADS + 2>(s, x, y);
    tile_kernel<OUTPUTS, QUADS><<<blocks_for(s->n, OUTPUTS * THREADS), THREADS>>>(
        x, y, s->n, s->lead, taps_from<4 * QUADS>(s->mask));
}

/* `quads` of the mask's, from its `first` tap on. */
template <int OUTPUTS, int REST = 0>
static void launch_part(const struct conv *s, const float *x, float *y, int first, int quads)
{
    if constexpr (REST + 1 < STEP)
        if (quads % STEP > REST)
            return launch_part<OUTPUTS, REST + 1>(s, x, y, first, quads);
    wide_kernel<OUTPUTS, REST><<<blocks_for(s->n, OUTPUTS * THREADS), THREADS>>>(
        x, y, s->n, s->lead - first, taps_from<CHUNK>(s->mask + first), quads / STEP, first > 0);
}

template <int OUTPUTS> static void launch_wide(const struct conv *s, const float *x, float *y)
{
    for (int first = 0; first < 4 * s->quads; first += CHUNK) {
        const int left = s->quads - first / 4;
        launch_part<OUTPUTS>(s, x, y, first, left < CHUNK / 4 ? left : CHUNK / 4);
    }
}

static int conv_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct conv1d_problem *p = (const struct conv1d_problem *)problem;
    /* Taps that are never over the signal are left out. */
    const int radius = (uint64_t)p->radius < p->n ? p->radius : (int)p->n;
    const int lead = (radius + 3) / 4 * 4, count = 2 * radius + 1;
    const int quads = (lead - radius + count + 3) / 4;
    const size_t room = ((size_t)4 * quads + CHUNK - 1) / CHUNK * CHUNK;
    struct conv *s = (struct conv *)calloc(1, sizeof *s + room * sizeof(float));
    if (!s || p->n > (uint64_t)INT_MAX * 4 * THREADS) {
        free(s);
        return 1;
    }
    s->n = (int64_t)p->n;
    s->radius = radius;
    s->lead = lead;
    s->quads = quads;
    memcpy(s->mask + lead - radius, (const float *)env->fixed[CONV1D_W] + p->radius - radius,
           count * sizeof(float));
    *state = s;
    return 0;
}

static int conv_run(void *state, const void *const in[], void *const out[])
{
    const struct conv *s = (const struct conv *)state;
    const float *x = (const float *)in[CONV1D_X];
    float *y = (float *)out[CONV1D_Y];
    if (s->n == 0) /* a grid of no blocks is an error */
        return 0;
    const bool brief = s->n < SHORT;
    if (s->n <= TINY && s->radius > LONG_RADIUS && s->quads <= SPLIT_QUADS)
        s->radius <= SHORT_RADIUS ? launch_short<LONG_RADIUS + 1>(s, x, y)
                                  : launch_split<8>(s, x, y);
    else if (s->radius <= (brief ? SHORT_RADIUS : LONG_RADIUS))
        launch_direct<0>(s, x, y);
    else if (s->quads <= TILE_QUADS)
        brief ? launch_tile<4, 10>(s, x, y) : launch_tile<16, 6>(s, x, y);
    else
        brief ? launch_wide<4>(s, x, y) : launch_wide<32>(s, x, y);
    return cudaGetLastError() != cudaSuccess;
}

static void conv_close(void *state)
{
    free(state);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,   "conv1d", "register_record",
                                                   conv_open, conv_run, conv_close};
