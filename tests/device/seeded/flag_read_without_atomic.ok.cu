// The twin of flag_read_without_atomic.bug.cu: the results are looked at by a second kernel.
#include <stdio.h>

#define BLOCKS 8

__device__ int results[BLOCKS], flags[BLOCKS];

__global__ void work_kernel()
{
    int b = blockIdx.x;
    results[b] = b * b;
    flags[b] = 1;
}

__global__ void look_kernel(int *seen)
{
    int b = blockIdx.x, before = (b + BLOCKS - 1) % BLOCKS;
    seen[b] = flags[before] ? results[before] : 0;
}

int main()
{
    int seen[BLOCKS], *d_seen, wrong = 0;
    cudaMalloc(&d_seen, sizeof(seen));
    work_kernel<<<BLOCKS, 1>>>();
    look_kernel<<<BLOCKS, 1>>>(d_seen);
    cudaMemcpy(seen, d_seen, sizeof(seen), cudaMemcpyDeviceToHost);
    for (int b = 0; b < BLOCKS; b++) {
        int before = (b + BLOCKS - 1) % BLOCKS;
        wrong += seen[b] != before * before;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_seen);
    return wrong != 0;
}
