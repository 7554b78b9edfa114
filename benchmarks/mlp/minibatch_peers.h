/* The libraries that `minibatch` competes with, as variants: the training step of
 * mlp/minibatch_step.h over a library's matrix products. Libraries are looked for when open() is
 * called, by dlopen: none is needed to build, and open() refuses where one is missing. */
#ifndef HPC_BENCHMARKS_MINIBATCH_PEERS_H
#define HPC_BENCHMARKS_MINIBATCH_PEERS_H

#include "common/abi.h"

extern const struct hpc_variant peer_openblas; /* cblas_sgemm */
/* cblas_sgemm for the three products of each layer, and nothing else: no bias, no activation. What
 * the fastest code around OpenBLAS's products could not go below. Its output is not trained. */
extern const struct hpc_variant peer_openblas_products;
extern const struct hpc_variant peer_onednn; /* dnnl_sgemm */

/* GFLOP/s of multiply-adds on registers alone, in fp32, by `threads` threads for some 20 ms. */
double fma_peak(int threads, int simd);

#endif
