/* The sum over the GPUs of one host: by NCCL (all_reduce_nccl.cu), or of a single GPU
 * (all_reduce_one.cu), where NCCL is not to be had. */
#ifndef HPC_BENCHMARKS_RANKS_ALL_REDUCE_H
#define HPC_BENCHMARKS_RANKS_ALL_REDUCE_H

#include <cuda_runtime.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_GPUS = 8 };

/* Ends the program where `ok` is false, with the call, its place and the last error's name. */
#define MUST(ok)   must_be(ok, #ok, __FILE__, __LINE__)
#define CUDA(call) must_be((call) == cudaSuccess, #call, __FILE__, __LINE__)

static inline void must_be(bool ok, const char *call, const char *file, int line)
{
    if (ok)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorName(cudaGetLastError()));
    exit(EXIT_FAILURE);
}

/* The GPUs that all_reduce() takes, 1 to MOST_GPUS; prints a line that says by what. */
int all_reduce_open(void);

/* sum[g], n doubles on GPU g, becomes the sum over all `gpus` of them on each one; `gpus` is
 * all_reduce_open()'s, or 1, where nothing is to be done. In the order of the streams. */
void all_reduce(int gpus, double *const sum[], size_t n, const cudaStream_t streams[]);

#endif
