/* conv1d/cpu_simd: all cores, and a vector of outputs at a time: what a GPU must beat.
 *
 * Changes from cpu: the loop over the taps is outside, over TILE neighbouring outputs whose sums
 * stay in registers; a tap is multiplied with a whole vector of x, read from where the tap puts it,
 * aligned or not. The sums of a tile are independent, so the multipliers never wait. Threads share
 * the signal in pieces of PIECE outputs, in OpenMP's static order. Outputs of a signal that no
 * cache holds are written past the caches, which would first read what is overwritten.
 * What limits it now: up to some ten taps the memory, at 8 bytes an output; with more the loads,
 * one for each vector and tap, two a cycle. */
#include "conv1d/conv1d.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
enum { LANES = 16 };
#elif defined(__AVX__)
enum { LANES = 8 };
#else
enum { LANES = 4 };
#endif
enum {
    VECTORS = 8,
    TILE = VECTORS * LANES,
    PIECE = 32 * TILE,
    STREAM = 1 << 25, /* outputs: 128 MiB of them, more than any core's share of a cache */
};

typedef float vec __attribute__((vector_size(LANES * sizeof(float))));
typedef float vec_any __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));

struct simd {
    const struct conv1d_problem *p;
    int threads;
    float *windows; /* of each thread: TILE + 2 radius floats, and TILE outputs */
};

static inline void store(float *y, vec v, int stream)
{
#if defined(__AVX512F__)
    if (stream) {
        _mm512_stream_ps(y, (__m512)v);
        return;
    }
#elif defined(__AVX__)
    if (stream) {
        _mm256_stream_ps(y, (__m256)v);
        return;
    }
#endif
    (void)stream;
    *(vec_any *)y = v;
}

/* y[0 .. TILE) from x[0 .. TILE + taps - 1). */
static inline void tile(const float *x, const float *w, int taps, float *y, int stream)
{
    vec sum[VECTORS] = {0};
    for (int j = 0; j < taps; j++)
#pragma GCC unroll 8
        for (int v = 0; v < VECTORS; v++)
            sum[v] += w[j] * *(const vec_any *)(x + j + v * LANES);
#pragma GCC unroll 8
    for (int v = 0; v < VECTORS; v++)
        store(y + v * LANES, sum[v], stream);
}

/* The outputs [i, end), at most TILE, of a tile whose window hangs over an end of the signal: from
 * a copy of the window that has zeros there. */
static void edge(const struct simd *s, const float *x, const float *w, int64_t i, int64_t end,
                 float *window, float *y)
{
    const int64_t n = (int64_t)s->p->n, r = s->p->radius, length = TILE + 2 * r;
    float *outputs = window + length;
    for (int64_t k = 0; k < length; k++)
        window[k] = i - r + k >= 0 && i - r + k < n ? x[i - r + k] : 0;
    tile(window, w, (int)(2 * r + 1), outputs, 0);
    memcpy(y + i, outputs, (size_t)(end - i) * sizeof *y);
}

/* Outputs [begin, end). */
static void piece(const struct simd *s, const float *x, const float *w, int64_t begin, int64_t end,
                  float *window, float *y)
{
    const int64_t n = (int64_t)s->p->n, r = s->p->radius;
    const int stream = n >= STREAM && (uintptr_t)y % sizeof(vec) == 0;
    for (int64_t i = begin; i < end; i += TILE)
        if (i >= r && i + TILE + r <= n && i + TILE <= end)
            tile(x + i - r, w, (int)(2 * r + 1), y + i, stream);
        else
            edge(s, x, w, i, i + TILE < end ? i + TILE : end, window, y);
}

static void simd_close(void *state)
{
    struct simd *s = state;
    free(s->windows);
    free(s);
}

static int simd_open(const struct hpc_env *env, const void *problem, void **state)
{
    struct simd *s = malloc(sizeof *s);
    if (!s)
        return 1;
    *s = (struct simd){problem, env->threads, NULL};
    const size_t window = 2 * TILE + 2 * (size_t)s->p->radius;
    s->windows = malloc((size_t)s->threads * window * sizeof *s->windows);
    *state = s;
    if (s->windows)
        return 0;
    simd_close(s);
    return 1;
}

static int simd_run(void *state, const void *const in[], void *const out[])
{
    const struct simd *s = state;
    const int64_t n = (int64_t)s->p->n, window = 2 * TILE + 2 * (int64_t)s->p->radius;
#pragma omp parallel for num_threads(s->threads) if (n > PIECE) schedule(static)
    for (int64_t begin = 0; begin < n; begin += PIECE)
        piece(s, in[CONV1D_X], in[CONV1D_W], begin, begin + PIECE < n ? begin + PIECE : n,
              s->windows + omp_get_thread_num() * window, out[CONV1D_Y]);
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,   "conv1d", "cpu_simd",
                                        simd_open, simd_run, simd_close};
