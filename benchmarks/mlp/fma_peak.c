/* The peak that fractions are given of: multiply-adds on registers alone, 12 chains a thread. */
#include <omp.h>
#include <time.h>

#include "benchmarks/mlp/minibatch_peers.h"

enum { CHAINS = 12, TURNS = 1 << 21 };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A function that does TURNS * CHAINS vector multiply-adds and returns the sum of all lanes. */
#define CHAINS_FUNCTION(name, lanes, target)                                                       \
    target static float name(void)                                                                 \
    {                                                                                              \
        typedef float vec __attribute__((vector_size(lanes * sizeof(float))));                     \
        const vec zero = {0}, shrink = zero + 0.999F, shift = zero + 1e-3F;                        \
        vec chain[CHAINS], all = zero;                                                             \
        float sum = 0;                                                                             \
        for (int c = 0; c < CHAINS; c++)                                                           \
            chain[c] = zero + (float)c;                                                            \
        for (int t = 0; t < TURNS; t++) {                                                          \
            _Pragma("GCC unroll 12") for (int c = 0; c < CHAINS; c++) chain[c] =                   \
                chain[c] * shrink + shift;                                                         \
        }                                                                                          \
        for (int c = 0; c < CHAINS; c++)                                                           \
            all += chain[c];                                                                       \
        for (int lane = 0; lane < lanes; lane++)                                                   \
            sum += all[lane];                                                                      \
        return sum;                                                                                \
    }

CHAINS_FUNCTION(chains_generic, 4, )
#if defined(__x86_64__)
CHAINS_FUNCTION(chains_avx2, 8, __attribute__((target("avx2,fma"))))
CHAINS_FUNCTION(chains_avx512, 16, __attribute__((target("avx512f,fma"))))
#endif

double fma_peak(int threads, int simd)
{
    float (*chains)(void) = chains_generic;
    int lanes = 4;
#if defined(__x86_64__)
    if (simd == HPC_SIMD_AVX2) {
        chains = chains_avx2;
        lanes = 8;
    } else if (simd == HPC_SIMD_AVX512 || simd == HPC_SIMD_AMX) {
        chains = chains_avx512;
        lanes = 16;
    }
#endif
    float sum = 0;
    double start = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    {
#pragma omp barrier
#pragma omp single
        start = seconds();
        sum += chains();
    }
    const double elapsed = seconds() - start;
    /* The sum is about 12 * lanes * threads; this keeps the compiler from leaving it out. */
    return sum < 0 ? 0 : 2.0 * TURNS * CHAINS * lanes * threads / elapsed * 1e-9;
}
