/* Division by a number that is known before a launch: a multiplication and a shift, where a GPU
 * takes some 20 instructions, one waiting for the other.
 *
 * With 2^l the first power of two that is no less than `by`, m = ceil(2^(31 + l) / by) is below
 * 2^32, and floor(x m / 2^(31 + l)) = floor(x / by) for 0 <= x < 2^31 ([Granlund], "Division by
 * invariant integers using multiplication", 1994, theorem 4.2). C as well as CUDA. */
#ifndef HPC_CONV2D_QUOTIENT_H
#define HPC_CONV2D_QUOTIENT_H

#include "conv2d/conv2d.h"

struct quotient {
    uint32_t by, multiplier, shift;
};

/* by: 1 .. 2^30. */
CONV_INLINE struct quotient quotient_by(int by)
{
    struct quotient q = {(uint32_t)by, 0, 31};
    while (((uint32_t)1 << (q.shift - 31)) < q.by)
        q.shift++;
    q.multiplier = (uint32_t)((((uint64_t)1 << q.shift) + q.by - 1) / q.by);
    return q;
}

/* x / by, of 0 <= x. */
CONV_INLINE int quotient_of(int x, struct quotient q)
{
    return (int)((uint64_t)(uint32_t)x * q.multiplier >> q.shift);
}

#endif
