/* cooperative_groups::inclusive_scan and exclusive_scan, for tiles and lanes. */
#ifndef HPC_DEVICE_COOPERATIVE_GROUPS_SCAN_H
#define HPC_DEVICE_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups
{
template <class T, class F>
static inline T inclusive_scan(const lanes &group, T value, F &&join, HPC_HERE)
{
    uint64_t values[32];
    const unsigned mask = group.lane_mask(), me = hpc_dev::lane();
    const unsigned there = dev_warp_gather(mask, hpc_dev::bits_of(value), values, HPC_SITE);
    bool first = true;
    T sum = value;
    for (unsigned k = 0; k <= me; k++)
        if (there >> k & 1) {
            const T other = hpc_dev::from_bits<T>(values[k]);
            sum = first ? other : join(sum, other);
            first = false;
        }
    return sum;
}

template <class T> static inline T inclusive_scan(const lanes &group, T value, HPC_HERE)
{
    return inclusive_scan(group, value, plus<T>(), file, line);
}

/* Of the first thread the result is T(). */
template <class T, class F>
static inline T exclusive_scan(const lanes &group, T value, F &&join, HPC_HERE)
{
    const T sum = inclusive_scan(group, value, join, file, line);
    const T before = group.shfl_up(sum, 1, file, line);
    return group.thread_rank() == 0 ? T() : before;
}

template <class T> static inline T exclusive_scan(const lanes &group, T value, HPC_HERE)
{
    return exclusive_scan(group, value, plus<T>(), file, line);
}
} // namespace cooperative_groups

#endif
