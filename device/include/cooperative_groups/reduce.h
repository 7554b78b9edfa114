/* cooperative_groups::reduce, for tiles and lanes. */
#ifndef HPC_DEVICE_COOPERATIVE_GROUPS_REDUCE_H
#define HPC_DEVICE_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{
#define HPC_JOIN(name, expression)                                                                 \
    template <class T> struct name {                                                               \
        T operator()(const T &a, const T &b) const                                                 \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
HPC_JOIN(plus, a + b)
HPC_JOIN(less, b < a ? b : a)
HPC_JOIN(greater, a < b ? b : a)
HPC_JOIN(bit_and, a &b)
HPC_JOIN(bit_or, a | b)
HPC_JOIN(bit_xor, a ^ b)
#undef HPC_JOIN

template <class T, class F>
static inline T reduce(const lanes &group, const T &value, F &&join, HPC_HERE)
{
    return hpc_dev::reduce(group.lane_mask(), value, join, HPC_SITE);
}
} // namespace cooperative_groups

#endif
