// One thread of each block publishes a result and sets a flag, another block's thread looks
// whether the flag is set, both by ordinary accesses.
#include <stdio.h>

#define BLOCKS 8

__device__ int results[BLOCKS], flags[BLOCKS];

__global__ void work_kernel(int *seen)
{
    int b = blockIdx.x;
    results[b] = b * b; // EXPECT race-global
    flags[b] = 1;       // EXPECT race-global
    int before = (b + BLOCKS - 1) % BLOCKS;
    seen[b] = flags[before] ? results[before] : 0; // EXPECT race-global
}

int main()
{
    int seen[BLOCKS], *d_seen, wrong = 0;
    cudaMalloc(&d_seen, sizeof(seen));
    work_kernel<<<BLOCKS, 1>>>(d_seen);
    cudaMemcpy(seen, d_seen, sizeof(seen), cudaMemcpyDeviceToHost);
    for (int b = 0; b < BLOCKS; b++) {
        int before = (b + BLOCKS - 1) % BLOCKS;
        wrong += seen[b] != before * before;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_seen);
    return wrong != 0;
}
