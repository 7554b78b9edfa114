// expect: race-global
// One thread of each block publishes a result and sets a flag, another block's thread looks
// whether the flag is set, both by ordinary accesses.
// Without BUG: the results are looked at by a second kernel.
#include <stdio.h>

#define BLOCKS 8

__device__ int results[BLOCKS], flags[BLOCKS];

#ifdef BUG
__global__ void work_kernel(int *seen)
#else
__global__ void work_kernel()
#endif
{
    int b = blockIdx.x;
    results[b] = b * b; // EXPECTED
    flags[b] = 1;       // EXPECTED
#ifdef BUG
    int before = (b + BLOCKS - 1) % BLOCKS;
#else
}

__global__ void look_kernel(int *seen)
{
    int b = blockIdx.x, before = (b + BLOCKS - 1) % BLOCKS;
#endif
    seen[b] = flags[before] ? results[before] : 0; // EXPECTED
}

int main()
{
    int seen[BLOCKS], *d_seen, wrong = 0;
    cudaMalloc(&d_seen, sizeof(seen));
#ifdef BUG
    work_kernel<<<BLOCKS, 1>>>(d_seen);
#else
    work_kernel<<<BLOCKS, 1>>>();
    look_kernel<<<BLOCKS, 1>>>(d_seen);
#endif
    cudaMemcpy(seen, d_seen, sizeof(seen), cudaMemcpyDeviceToHost);
    for (int b = 0; b < BLOCKS; b++) {
        int before = (b + BLOCKS - 1) % BLOCKS;
        wrong += seen[b] != before * before;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_seen);
    return wrong != 0;
}
