/* Cooperative groups: the block, tiles of up to 32 threads, the lanes that are together, parts of
 * them by a label, and the grid. Clusters, several devices and tiles of more than 32 threads are
 * not supported. */
#ifndef HPC_DEVICE_COOPERATIVE_GROUPS_H
#define HPC_DEVICE_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"
#include "hpc_device/grid_group.h"

namespace cooperative_groups
{
/* Any group of a block; mask 0 stands for the whole block. */
class thread_group
{
  protected:
    unsigned mask_;

  public:
    explicit thread_group(unsigned mask) : mask_(mask)
    {
    }
    void sync(HPC_HERE) const
    {
        if (mask_)
            __syncwarp(mask_, file, line);
        else
            __syncthreads(file, line);
    }
    unsigned size() const
    {
        dim3 d = hpc_dev::block_dim();
        return mask_ ? (unsigned)__popc(mask_) : d.x * d.y * d.z;
    }
    unsigned num_threads() const
    {
        return size();
    }
    unsigned thread_rank() const
    {
        unsigned lane = hpc_dev::lane();
        return mask_ ? (unsigned)__popc(mask_ & ((1u << lane) - 1)) : hpc_dev::thread_rank();
    }
    unsigned lane_mask() const
    {
        return mask_;
    }
    bool is_valid() const
    {
        return true;
    }
};

class thread_block : public thread_group
{
  public:
    thread_block() : thread_group(0)
    {
    }
    /* A barrier in two halves: all of it is the second one, for which nobody has to hurry. */
    class arrival_token
    {
    };
    arrival_token barrier_arrive() const
    {
        return arrival_token();
    }
    void barrier_wait(arrival_token &&, HPC_HERE) const
    {
        sync(file, line);
    }
    static dim3 group_index()
    {
        return hpc_dev::block_index();
    }
    static dim3 thread_index()
    {
        return hpc_dev::thread_index();
    }
    static dim3 group_dim()
    {
        return hpc_dev::block_dim();
    }
    static dim3 dim_threads()
    {
        return hpc_dev::block_dim();
    }
};

/* Shuffles and votes among the threads of a mask; ranks are counted inside the group. */
class lanes : public thread_group
{
    int lane_of(unsigned rank) const
    {
        unsigned left = mask_;
        for (; rank > 0 && left; rank--)
            left &= left - 1;
        return left ? __ffs((int)left) - 1 : (int)hpc_dev::lane();
    }
    unsigned ranks(unsigned lane_bits) const
    {
        unsigned bits = 0, rank = 0;
        for (unsigned k = 0; k < 32; k++)
            if (mask_ >> k & 1)
                bits |= (lane_bits >> k & 1) << rank++;
        return bits;
    }
    template <class T>
    T from(T value, int rank, const char *file, int line, unsigned down = 0) const
    {
        bool inside = rank >= 0 && rank < (int)size();
        int lane = inside ? lane_of((unsigned)rank) : (int)hpc_dev::lane();
        return hpc_dev::shuffle(mask_, value, (unsigned)lane | down, {file, line});
    }

  public:
    using thread_group::thread_group;
    template <class T> T shfl(T value, int rank, HPC_HERE) const
    {
        return from(value, rank % (int)size(), file, line);
    }
    template <class T> T shfl_down(T value, unsigned delta, HPC_HERE) const
    {
        return from(value, (int)(thread_rank() + delta), file, line, DEV_SHUFFLE_DOWN);
    }
    template <class T> T shfl_up(T value, unsigned delta, HPC_HERE) const
    {
        return from(value, (int)thread_rank() - (int)delta, file, line);
    }
    template <class T> T shfl_xor(T value, unsigned bits, HPC_HERE) const
    {
        return from(value, (int)(thread_rank() ^ bits), file, line);
    }
    int any(int predicate, HPC_HERE) const
    {
        return __any_sync(mask_, predicate, file, line);
    }
    int all(int predicate, HPC_HERE) const
    {
        return __all_sync(mask_, predicate, file, line);
    }
    unsigned ballot(int predicate, HPC_HERE) const
    {
        return ranks(__ballot_sync(mask_, predicate, file, line));
    }
    template <class T> unsigned match_any(T value, HPC_HERE) const
    {
        return ranks(__match_any_sync(mask_, value, file, line));
    }
    template <class T> unsigned match_all(T value, int &predicate, HPC_HERE) const
    {
        return ranks(__match_all_sync(mask_, value, &predicate, file, line));
    }
};

static inline unsigned tile_mask(unsigned size)
{
    unsigned first = hpc_dev::lane() / size * size;
    return size == 32 ? 0xffffffffu : ((1u << size) - 1) << first;
}

template <unsigned Size, class Parent = void> class thread_block_tile;

/* The threads of a tile that is cut into others; of a block more than it can have. */
template <class Parent> struct parent_size {
    static constexpr unsigned value = 1u << 31;
};
template <unsigned Size, class Parent> struct parent_size<thread_block_tile<Size, Parent>> {
    static constexpr unsigned value = Size;
};

template <unsigned Size, class Parent> class thread_block_tile : public lanes
{
    static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "not supported: tiles of other than 1, 2, 4, 8, 16 or 32 threads");

  public:
    thread_block_tile() : lanes(tile_mask(Size))
    {
    }
    template <class Other> thread_block_tile(const thread_block_tile<Size, Other> &t) : lanes(t)
    {
    }
    static constexpr unsigned size()
    {
        return Size;
    }
    static constexpr unsigned num_threads()
    {
        return Size;
    }
    static unsigned thread_rank()
    {
        return hpc_dev::lane() % Size;
    }
    /* Among the tiles of what it was cut from: of a tile, or of the block. */
    static unsigned meta_group_rank()
    {
        return hpc_dev::thread_rank() % parent_size<Parent>::value / Size;
    }
    static unsigned meta_group_size()
    {
        if (parent_size<Parent>::value <= 32)
            return parent_size<Parent>::value / Size;
        dim3 d = hpc_dev::block_dim();
        return (d.x * d.y * d.z + Size - 1) / Size;
    }
};

class coalesced_group : public lanes
{
    unsigned meta_rank_, meta_size_;

  public:
    explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
        : lanes(mask), meta_rank_(meta_rank), meta_size_(meta_size)
    {
    }
    unsigned meta_group_rank() const
    {
        return meta_rank_;
    }
    unsigned meta_group_size() const
    {
        return meta_size_;
    }
};

static inline thread_block this_thread_block()
{
    return thread_block();
}

static inline coalesced_group coalesced_threads(HPC_HERE)
{
    return coalesced_group(__activemask(file, line));
}

template <unsigned Size, class Group>
static inline thread_block_tile<Size, Group> tiled_partition(const Group &)
{
    return thread_block_tile<Size, Group>();
}

/* One thread of the group calls `one`; of lanes, each gets what it gave. */
template <class Group, class F, class... A>
static inline void invoke_one(const Group &group, F &&one, A &&...arguments)
{
    if (group.thread_rank() == 0)
        one(std::forward<A>(arguments)...);
}

template <class Group, class F, class... A>
static inline auto invoke_one_broadcast(const Group &group, F &&one, A &&...arguments)
{
    decltype(one(std::forward<A>(arguments)...)) value = {};
    if (group.thread_rank() == 0)
        value = one(std::forward<A>(arguments)...);
    return group.shfl(value, 0);
}

template <class Group> static inline void sync(const Group &group, HPC_HERE)
{
    group.sync(file, line);
}

template <class Group> static inline dim3 group_index(const Group &group)
{
    return group.group_index();
}

template <class Group> static inline unsigned thread_rank(const Group &group)
{
    return group.thread_rank();
}

template <class Group> static inline unsigned group_size(const Group &group)
{
    return group.size();
}
} // namespace cooperative_groups

#include "hpc_device/partitions.h"

#endif
