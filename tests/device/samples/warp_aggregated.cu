/* Lanes that are together in a branch: counters that a warp's lanes raise by one atomic operation,
 * by
 * __activemask() and by coalesced_threads(), in branches, in loops, and after lanes have returned.
 */
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

#define N 1000

/* One atomic operation for all lanes that came here; each gets a place of its own. */
__device__ int take_by_mask(int *counter)
{
    unsigned mask = __activemask();
    int leader = __ffs(mask) - 1, lane = threadIdx.x % 32, first = 0;
    if (lane == leader)
        first = atomicAdd(counter, __popc(mask));
    return __shfl_sync(mask, first, leader) + __popc(mask & ((1u << lane) - 1));
}

__device__ int take_by_group(int *counter)
{
    cg::coalesced_group g = cg::coalesced_threads();
    int first = 0;
    if (g.thread_rank() == 0)
        first = atomicAdd(counter, (int)g.size());
    return g.shfl(first, 0) + (int)g.thread_rank();
}

__global__ void filter_kernel(const int *x, int n, int *kept, int *dropped, int *counters)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (x[i] % 3 == 0)
        kept[take_by_mask(&counters[0])] = x[i];
    else
        dropped[take_by_group(&counters[1])] = x[i];
}

__global__ void loop_kernel(int *counters)
{
    for (int round = 0; round < (int)(threadIdx.x % 7); round++)
        if ((threadIdx.x + round) % 2)
            take_by_group(&counters[2]);
        else
            take_by_mask(&counters[3]);
}

/* Both sides of a branch are groups of their own. */
__global__ void size_kernel(int *sizes)
{
    if (threadIdx.x % 3 == 0)
        sizes[threadIdx.x] = cg::coalesced_threads().size();
    else
        sizes[threadIdx.x] = __popc(__activemask());
    __syncthreads();
    if (threadIdx.x >= 40)
        return;
    sizes[64 + threadIdx.x] = __popc(__activemask());
}

/* Each of 0..count-1, multiplied out by `from`, is there once. */
static bool is_all(const int *values, int count, bool thirds)
{
    bool seen[N] = {false};
    for (int i = 0; i < count; i++) {
        if (values[i] < 0 || values[i] >= N || seen[values[i]] || (values[i] % 3 == 0) != thirds)
            return false;
        seen[values[i]] = true;
    }
    return true;
}

int main()
{
    int *x, *kept, *dropped, *counters, *sizes;
    cudaMallocManaged(&x, N * sizeof(int));
    cudaMallocManaged(&kept, N * sizeof(int));
    cudaMallocManaged(&dropped, N * sizeof(int));
    cudaMallocManaged(&counters, 4 * sizeof(int));
    cudaMallocManaged(&sizes, 128 * sizeof(int));
    for (int i = 0; i < N; i++)
        x[i] = (i * 7) % N;
    cudaMemset(counters, 0, 4 * sizeof(int));
    filter_kernel<<<8, 128>>>(x, N, kept, dropped, counters);
    loop_kernel<<<3, 96>>>(counters);
    size_kernel<<<1, 64>>>(sizes);
    cudaDeviceSynchronize();
    int odd = 0, even = 0;
    for (int t = 0; t < 96; t++)
        for (int round = 0; round < t % 7; round++)
            ((t + round) % 2 ? odd : even) += 3;
    printf("%d and %d of %d, %d and %d in loops\n", counters[0], counters[1], N, counters[2],
           counters[3]);
    bool ok = counters[0] == 334 && counters[1] == 666 && is_all(kept, 334, true) &&
              is_all(dropped, 666, false) && counters[2] == odd && counters[3] == even;
    for (int t = 0; t < 64; t++)
        ok = ok && sizes[t] == (t % 3 == 0 ? 11 : 21);
    for (int t = 0; t < 40; t++)
        ok = ok && sizes[64 + t] == (t < 32 ? 32 : 8);
    cudaFree(x);
    cudaFree(kept);
    cudaFree(dropped);
    cudaFree(counters);
    cudaFree(sizes);
    puts(ok ? "PASS" : "FAIL");
    return !ok;
}
