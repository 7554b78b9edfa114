/* What the threads of a loop touch, in ranges (ranges.c). */
#ifndef HPC_DEVICE_BATCH_RANGES_H
#define HPC_DEVICE_BATCH_RANGES_H

#include "device/check/check.h"
#include "device/runtime/loops.h"

/* Element k of the range is thread first + k's. */
struct range {
    uintptr_t at;
    intptr_t stride;
    unsigned first, count;
    unsigned visits, firsts; /* elements that leave something; and that no range before it has */
    int next;                /* of the same array, by addresses that get smaller */
    unsigned bytes;
    bool write;
    const void *from;
};

/* First byte, and behind the last. */
static inline uintptr_t low_of(const struct range *r)
{
    return r->stride < 0 ? r->at + (uintptr_t)(r->stride * (intptr_t)(r->count - 1)) : r->at;
}

static inline uintptr_t high_of(const struct range *r)
{
    return r->bytes + (r->stride < 0 ? r->at : r->at + (uintptr_t)r->stride * (r->count - 1));
}

/* The loop's ranges in the order in which they go on record; NULL where they can't be told, or two
 * threads meet in one. Valid until the next call. */
const struct range *const *check_batch_ranges(const struct dev_index *size, unsigned most,
                                              dev_batch_shape *shape, const void *context, int *n);

#endif
