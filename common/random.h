/* Counter-based random numbers: Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy
 * as 1, 2, 3", SC 2011). The number at (seed, stream, index) does not depend on what was drawn
 * before it. The trusted side keys it from getrandom(2) or --seed; no runner ever sees the key. */
#ifndef HPC_COMMON_RANDOM_H
#define HPC_COMMON_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Four 32-bit words for block `index` of `stream` under `seed`. */
void hpc_philox(uint64_t seed, uint64_t stream, uint64_t index, uint32_t out[4]);

/* HPC_RANDOM_CHUNK words at once, a hundred times as fast, for arrays of test data: Philox keys the
 * chunk `index` of `stream`, a mixing function of 32 bits, which the compiler makes vectors of,
 * does the rest. What one chunk is keyed with says nothing about the next. */
#define HPC_RANDOM_CHUNK 4096
void hpc_random_chunk(uint64_t seed, uint64_t stream, uint64_t index,
                      uint32_t word[HPC_RANDOM_CHUNK]);

/* A sequential reader over one stream, for code that draws one number after another. */
struct hpc_random {
    uint64_t seed, stream, index;
    uint32_t word[4];
    int used;
};
void hpc_random_init(struct hpc_random *r, uint64_t seed, uint64_t stream);
uint32_t hpc_random_u32(struct hpc_random *r);
uint64_t hpc_random_u64(struct hpc_random *r);
double hpc_random_double(struct hpc_random *r); /* uniform in [0, 1), 53 bits */
/* n of these, the same numbers as n calls, in half of the time. */
void hpc_random_doubles(struct hpc_random *r, double *x, size_t n);
double hpc_random_normal(struct hpc_random *r);                   /* mean 0, variance 1 */
uint32_t hpc_random_below(struct hpc_random *r, uint32_t n);      /* unbiased in [0, n), n > 0 */
void hpc_random_permutation(struct hpc_random *r, int *p, int n); /* Fisher-Yates of 0..n-1 */

/* A seed from a name: the same whatever the case of its letters, and without the spaces around it.
 */
uint64_t hpc_random_named(const char *name);
/* A seed from getrandom(2). */
uint64_t hpc_random_seed(void);

#ifdef __cplusplus
}
#endif
#endif
