/* Floors: what a problem's arithmetic costs at the least, at the FMA peak measured here and now
 * (reported), and at peaks that no processor of this kind exceeds (judged: `impossible`). */

#include "common/clock.h"
#include "harness/machine/machine.h"
#include "harness/measure/pairs.h"

/* FLOP a cycle and core in double at each SIMD level: two FMA pipes. */
static double flops_per_cycle(int simd)
{
    switch (simd) {
    case HPC_SIMD_AVX512:
    case HPC_SIMD_AMX:
        return 32;
    case HPC_SIMD_AVX2:
    case HPC_SIMD_NEON:
        return 16;
    default:
        return 4;
    }
}

#define MOST_HZ           6.5e9 /* above any clock on the market */
#define MOST_DEVICE_BYTES 10e12 /* a second; above any GPU's memory on the market */
#define AMX_GAIN          32    /* bf16 tile products over fp32 FMA */

typedef double vec8 __attribute__((vector_size(64)));

/* Seconds for `rounds` rounds of ten independent FMA chains of eight doubles. */
static inline __attribute__((always_inline)) double fma_chains(long rounds, volatile double *sink)
{
    vec8 a[10], x = {1e-9, 1e-9, 1e-9, 1e-9, 1e-9, 1e-9, 1e-9, 1e-9}, y = x + 1.0;
    for (int k = 0; k < 10; k++)
        a[k] = x * (double)k;
    const double begin = clock_now();
    for (long i = 0; i < rounds; i++)
#pragma GCC unroll 10 /* so that the chains stay in registers */
        for (int k = 0; k < 10; k++)
            a[k] = a[k] * x + y;
    const double seconds = clock_now() - begin;
    vec8 sum = a[0];
    for (int k = 1; k < 10; k++)
        sum += a[k];
    *sink = sum[0] + sum[7];
    return seconds;
}

/* The same by SIMD level; gcc's target_clones takes no level of two features, "avx2,fma". */
#if defined(__x86_64__)
__attribute__((target("avx512f"))) static double fma_avx512(long rounds, volatile double *sink)
{
    return fma_chains(rounds, sink);
}

__attribute__((target("avx2,fma"))) static double fma_avx2(long rounds, volatile double *sink)
{
    return fma_chains(rounds, sink);
}
#endif

static double fma_seconds(long rounds, volatile double *sink)
{
#if defined(__x86_64__)
    if (machine_here()->simd >= HPC_SIMD_AVX512)
        return fma_avx512(rounds, sink);
    if (machine_here()->simd >= HPC_SIMD_AVX2)
        return fma_avx2(rounds, sink);
#endif
    return fma_chains(rounds, sink);
}

static double fma_peak_double(void)
{
    volatile double sink;
    double best = 1;
    const long rounds = 200000;
    for (int i = 0; i < 5; i++) {
        double seconds = fma_seconds(rounds, &sink);
        if (seconds < best)
            best = seconds;
    }
    return (double)rounds * 10 * 8 * 2 / best;
}

/* Single precision does twice the FLOPs of double; the first output array's type decides. */
static double width(const struct hpc_layout *layout)
{
    return layout->n_out && layout->out[0].type == HPC_F64 ? 1 : 2;
}

double measure_floor(const struct hpc_cost *cost, const struct hpc_layout *layout, int threads)
{
    if (cost->flops <= 0)
        return 0;
    return cost->flops / (fma_peak_double() * width(layout) * threads);
}

double measure_impossible(const struct hpc_cost *cost, const struct hpc_layout *layout, int threads,
                          bool device)
{
    if (device)
        return cost->bytes / MOST_DEVICE_BYTES;
    int simd = machine_here()->simd;
    double peak = flops_per_cycle(simd) * MOST_HZ * width(layout) * threads;
    if (simd == HPC_SIMD_AMX && width(layout) > 1)
        peak *= AMX_GAIN;
    return cost->flops / peak;
}
