/* The mean of the replicas by gathers, the last few under a mask; OpenMP's threads share it out. */
#include <immintrin.h>
#include <omp.h>

#include "mlp/replicas.h"

#ifdef __AVX2__
static void mean_of_four(const struct replicas *s, size_t i, size_t n)
{
    const __m128i at = _mm_setr_epi32(0, 1, 2, 3);
    const __m256i left =
        _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)n), _mm256_setr_epi64x(0, 1, 2, 3));
    const int replicas = s->p->replicas;
    __m256d sum = _mm256_setzero_pd();
    for (int r = 0; r < replicas; r++) {
        const double *w = weights_of(s, r) + i;
        const __m256d one = n >= 4 ? _mm256_i32gather_pd(w, at, 8)
                                   : _mm256_mask_i32gather_pd(_mm256_setzero_pd(), w, at,
                                                              _mm256_castsi256_pd(left), 8);
        sum = r ? _mm256_add_pd(sum, one) : one;
    }
    const __m256d mean = _mm256_div_pd(sum, _mm256_set1_pd(replicas));
    for (int r = 0; r < replicas; r++)
        _mm256_maskstore_pd(weights_of(s, r) + i, left, mean);
}
#else
static void mean_of_four(const struct replicas *s, size_t i, size_t n)
{
    merge(s, i, i + (n < 4 ? n : 4));
}
#endif

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
#pragma omp parallel num_threads(s->threads)
    {
#pragma omp for schedule(static)
        for (int r = 0; r < s->p->replicas; r++)
            start_from(s, r, in);
        for (int epoch = 0; epoch < s->p->epochs; epoch++) {
#pragma omp for schedule(static)
            for (int r = 0; r < s->p->replicas; r++)
                train_shard(s, r, epoch, in);
            if (!merges_after(s->p, epoch))
                continue;
#pragma omp for schedule(static)
            for (size_t i = 0; i < s->weights; i += 4)
                mean_of_four(s, i, s->weights - i);
        }
    }
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
