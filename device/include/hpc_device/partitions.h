/* Groups that other groups are cut into when the program runs: by a truth, by labels, by ranks. */
#ifndef HPC_DEVICE_PARTITIONS_H
#define HPC_DEVICE_PARTITIONS_H

namespace cooperative_groups
{
/* Without lanes of both kinds there is one part. */
static inline coalesced_group binary_partition(const lanes &group, bool predicate, HPC_HERE)
{
    unsigned mask = group.lane_mask(), with = __ballot_sync(mask, predicate, file, line);
    if (with == mask || with == 0)
        return coalesced_group(mask);
    return coalesced_group(predicate ? with : mask & ~with, predicate, 2);
}

/* The lanes of a group that give the same label; parts are counted by their first lanes. */
template <class Label>
static inline coalesced_group labeled_partition(const lanes &group, Label label, HPC_HERE)
{
    const unsigned mask = group.lane_mask(), part = __match_any_sync(mask, label, file, line);
    const unsigned first = part & -part;
    const unsigned firsts = __ballot_sync(mask, first == 1u << hpc_dev::lane(), file, line);
    return coalesced_group(part, (unsigned)__popc(firsts & (first - 1)), (unsigned)__popc(firsts));
}

static inline coalesced_group labeled_partition(const lanes &group, bool label, HPC_HERE)
{
    return binary_partition(group, label, file, line);
}

/* The members of a group, by their ranks cut into parts of `size`: that of this thread. */
static inline unsigned part_mask(const thread_group &group, unsigned mask, unsigned size)
{
    const unsigned first = group.thread_rank() / size * size, left = group.size() - first;
    unsigned part = 0, rank = 0;
    if (!mask) /* of the block */
        return (left < 32 ? (1u << left) - 1 : 0xffffffffu) << first % 32 & tile_mask(size);
    for (unsigned k = 0; k < 32; k++)
        if (mask >> k & 1 && rank++ / size == first / size)
            part |= 1u << k;
    return part;
}

static inline coalesced_group tiled_partition(const coalesced_group &group, unsigned size)
{
    if (group.size() <= size)
        return group;
    return coalesced_group(part_mask(group, group.lane_mask(), size), group.thread_rank() / size,
                           (group.size() + size - 1) / size);
}

static inline thread_group tiled_partition(const thread_group &group, unsigned size)
{
    return thread_group(part_mask(group, group.lane_mask(), size));
}
} // namespace cooperative_groups

#endif
