/* The grid as a group. It waits for all of its blocks in a cooperative launch, where each block has
 * an OS thread of its own. */
#ifndef HPC_DEVICE_GRID_GROUP_H
#define HPC_DEVICE_GRID_GROUP_H

namespace cooperative_groups
{
class grid_group
{
    static unsigned long long block_threads()
    {
        const dim3 b = hpc_dev::block_dim();
        return (unsigned long long)b.x * b.y * b.z;
    }

  public:
    static bool is_valid()
    {
        return dev_grid_waits();
    }
    static void sync(HPC_HERE)
    {
        __syncthreads(file, line);
        if (hpc_dev::thread_rank() == 0)
            dev_grid_sync(HPC_SITE);
        __syncthreads(file, line);
    }
    class arrival_token
    {
    };
    static arrival_token barrier_arrive()
    {
        return arrival_token();
    }
    static void barrier_wait(arrival_token &&, HPC_HERE)
    {
        sync(file, line);
    }
    static dim3 group_dim()
    {
        return hpc_dev::grid_dim();
    }
    static dim3 dim_blocks()
    {
        return hpc_dev::grid_dim();
    }
    static dim3 block_index()
    {
        return hpc_dev::block_index();
    }
    static unsigned long long num_blocks()
    {
        const dim3 g = hpc_dev::grid_dim();
        return (unsigned long long)g.x * g.y * g.z;
    }
    static unsigned long long block_rank()
    {
        const dim3 g = hpc_dev::grid_dim(), b = hpc_dev::block_index();
        return ((unsigned long long)b.z * g.y + b.y) * g.x + b.x;
    }
    static unsigned long long num_threads()
    {
        return num_blocks() * block_threads();
    }
    static unsigned long long size()
    {
        return num_threads();
    }
    static unsigned long long thread_rank()
    {
        return block_rank() * block_threads() + hpc_dev::thread_rank();
    }
};

inline grid_group this_grid()
{
    return grid_group();
}
} // namespace cooperative_groups

#endif
