/* cooperative_groups::memcpy_async: the group's threads copy at once, each its share, so that wait
 * is the group's barrier. */
#ifndef HPC_DEVICE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define HPC_DEVICE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{
template <class Group, class T>
static inline void memcpy_async(const Group &group, T *to, const T *from, size_t bytes)
{
    for (size_t i = group.thread_rank(); i < bytes / sizeof(T); i += group.size())
        to[i] = from[i];
}

template <class Group> static inline void wait(const Group &group, HPC_HERE)
{
    group.sync(file, line);
}

template <unsigned Stages, class Group> static inline void wait_prior(const Group &group, HPC_HERE)
{
    group.sync(file, line);
}
} // namespace cooperative_groups

#endif
