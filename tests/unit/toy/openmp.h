/* What the toy variant's OpenMP threads do. */
#ifndef HPC_TESTS_TOY_OPENMP_H
#define HPC_TESTS_TOY_OPENMP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_thread_num()  0
#define omp_get_num_threads() 1
#endif

/* Whether sums that threads make in turn, and together, are equal. */
static int openmp(const double *x, int n)
{
    double total = 0, in_turn[64] = {0}, all = 0;
    int threads = 1;
#pragma omp parallel reduction(+ : all)
    {
        int me = omp_get_thread_num();
#pragma omp single
        threads = omp_get_num_threads();
        for (int i = me; i < n; i += threads)
            in_turn[me] += x[i];
#pragma omp barrier
        all += in_turn[(me + 1) % threads];
    }
    for (int t = 0; t < threads; t++)
        total += in_turn[t];
    return all - total < 1e-9 && total - all < 1e-9;
}

/* All wait for the first, which sleeps; says what the environment has about waiting. */
static void openmp_wait(void)
{
    const char *spin = getenv("GOMP_SPINCOUNT"), *sanitizer = getenv("TSAN_OPTIONS");
#pragma omp parallel
    if (omp_get_thread_num() == 0)
        usleep(150000);
    printf("spins %s times; %s\n", spin ? spin : "?", sanitizer ? sanitizer : "no sanitizer");
    fflush(stdout);
}

#endif
