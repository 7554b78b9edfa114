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

/* Of doubles, as wide as the registers of a SIMD level: of vectors twice as wide ten chains would
 * need more registers than AVX2 has, and what is spilled bounds the time. */
typedef double vec2 __attribute__((vector_size(16)));
typedef double vec4 __attribute__((vector_size(32)));
typedef double vec8 __attribute__((vector_size(64)));

/* Seconds for `rounds` rounds of ten independent FMA chains of vectors. */
#define CHAINS 10
#define FMA_CHAINS(name, attribute, vec)                                                           \
    attribute static double name(long rounds, volatile double *sink)                               \
    {                                                                                              \
        vec a[CHAINS], x = (vec){0} + 1e-9, y = x + 1.0, sum = {0};                                \
        for (int k = 0; k < CHAINS; k++)                                                           \
            a[k] = x * (double)k;                                                                  \
        const double begin = clock_now();                                                          \
        for (long i = 0; i < rounds; i++)                                                          \
            _Pragma("GCC unroll 10") /* so that the chains stay in registers */                    \
                for (int k = 0; k < CHAINS; k++) a[k] = a[k] * x + y;                              \
        const double seconds = clock_now() - begin;                                                \
        for (int k = 0; k < CHAINS; k++)                                                           \
            sum += a[k];                                                                           \
        *sink = sum[0] + sum[1];                                                                   \
        return seconds;                                                                            \
    }

FMA_CHAINS(fma_plain, , vec2)
/* The same by SIMD level; gcc's target_clones takes no level of two features, "avx2,fma". */
#if defined(__x86_64__)
FMA_CHAINS(fma_avx2, __attribute__((target("avx2,fma"))), vec4)
FMA_CHAINS(fma_avx512, __attribute__((target("avx512f"))), vec8)
#endif

/* Seconds of so many rounds, and FLOPs of a round. */
static double fma_seconds(long rounds, volatile double *sink, int *flops)
{
#if defined(__x86_64__)
    *flops = 2 * CHAINS * 8;
    if (machine_here()->simd >= HPC_SIMD_AVX512)
        return fma_avx512(rounds, sink);
    *flops = 2 * CHAINS * 4;
    if (machine_here()->simd >= HPC_SIMD_AVX2)
        return fma_avx2(rounds, sink);
#endif
    *flops = 2 * CHAINS * 2;
    return fma_plain(rounds, sink);
}

static double fma_peak_double(void)
{
    volatile double sink;
    double best = 1e9;
    int flops = 0;
    const long rounds = 200000;
    for (int i = 0; i < 5; i++) {
        double seconds = fma_seconds(rounds, &sink, &flops);
        if (seconds < best)
            best = seconds;
    }
    return (double)rounds * flops / best;
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
