/* Special registers and fences by inline PTX: the lane, its masks, the place of a thread, clocks.
 */
#include <cstdio>

enum { THREADS = 96, BLOCKS = 5, ALL = THREADS * BLOCKS };

__device__ __forceinline__ unsigned lane_id()
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

template <int SIDE> __device__ unsigned lanes_beside()
{
    unsigned mask;
    if (SIDE < 0)
        asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    else
        asm volatile("mov.u32 %0, "
                     "%%lanemask_gt;\n\t"
                     : "=r"(mask));
    return mask;
}

static __device__ unsigned long long nanoseconds()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    return t;
}

__global__ void places(unsigned *out)
{
    unsigned t, n, b, side[3];
    asm("mov.u32 %0, %%tid.x;" : "=r"(t));
    asm("mov.u32 %0, %%ntid.x;" : "=r"(n));
    asm("mov.u32 %0, %%ctaid.x;" : "=r"(b));
    asm("mov.u32 %0, %%lanemask_eq;" : "=r"(side[threadIdx.x % 3]));
    out[b * n + t] = (lane_id() + side[threadIdx.x % 3]) ^ lanes_beside<-1>() ^ lanes_beside<1>();
}

/* As many lanes in front of each as want a place: places without holes. */
__global__ void ranks(const int *wants, int *place, int *total)
{
    __shared__ int sums[THREADS / 32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned votes = __ballot_sync(0xffffffff, wants[i]);
    if (lane_id() == 0)
        sums[threadIdx.x / 32] = __popc(votes);
    asm volatile("bar.sync 0;" ::: "memory");
    int before = __popc(votes & lanes_beside<-1>());
    for (int w = 0; w < (int)threadIdx.x / 32; w++)
        before += sums[w];
    place[i] = wants[i] ? before : -1;
    asm volatile("membar.gl;" ::: "memory");
    if (threadIdx.x == blockDim.x - 1)
        atomicAdd(total, before + wants[i]);
}

__global__ void clocks(int *wrong)
{
    unsigned sm, most;
    long long begin, end;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(most));
    const unsigned long long before = nanoseconds();
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(begin));
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(end));
    if (sm >= most || end < begin || nanoseconds() < before)
        atomicAdd(wrong, 1);
}

int main()
{
    unsigned *out, got[ALL];
    int *wants, *place, *counts, asked[ALL], placed[ALL], counted[2] = {0, 0}, bad = 0, sum = 0;
    for (int i = 0; i < ALL; i++)
        sum += asked[i] = i * 7 % 5 < 2;
    cudaMalloc(&out, sizeof got);
    cudaMalloc(&wants, sizeof asked);
    cudaMalloc(&place, sizeof placed);
    cudaMalloc(&counts, sizeof counted);
    cudaMemcpy(wants, asked, sizeof asked, cudaMemcpyHostToDevice);
    cudaMemcpy(counts, counted, sizeof counted, cudaMemcpyHostToDevice);
    places<<<BLOCKS, THREADS>>>(out);
    ranks<<<BLOCKS, THREADS>>>(wants, place, counts);
    clocks<<<BLOCKS, THREADS>>>(counts + 1);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaMemcpy(placed, place, sizeof placed, cudaMemcpyDeviceToHost);
    cudaMemcpy(counted, counts, sizeof counted, cudaMemcpyDeviceToHost);
    for (int i = 0, next = 0; i < ALL; i++) {
        const unsigned lane = i % THREADS % 32, self = 1u << lane;
        next = i % THREADS ? next : 0;
        bad += got[i] != ((lane + self) ^ ~self);
        bad += placed[i] != (asked[i] ? next++ : -1);
    }
    printf("%d of %d threads want a place\n", counted[0], ALL);
    puts(bad == 0 && counted[0] == sum && counted[1] == 0 ? "PASS" : "FAIL");
    cudaFree(out);
    cudaFree(wants);
    cudaFree(place);
    cudaFree(counts);
    return 0;
}
