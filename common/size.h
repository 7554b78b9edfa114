/* Products and sums of sizes that cannot overflow unnoticed. Dimensions are int; 1D lengths,
 * products and offsets are size_t and come from here. */
#ifndef HPC_COMMON_SIZE_H
#define HPC_COMMON_SIZE_H

#include <stddef.h>

#include "common/error.h"

static inline size_t hpc_mul(size_t a, size_t b)
{
    size_t product;
    HPC_ASSERT(!__builtin_mul_overflow(a, b, &product));
    return product;
}

static inline size_t hpc_add(size_t a, size_t b)
{
    size_t sum;
    HPC_ASSERT(!__builtin_add_overflow(a, b, &sum));
    return sum;
}

#endif
