// expect: race-global
// A counter of the whole grid is counted up by operations that are atomic within a block alone.
// Without BUG: operations of the device's scope; those of a block count in an element of the block's.
#include <stdio.h>

#define BLOCKS  8
#define THREADS 64

__global__ void count_kernel(const int *x, int *all, int *of_block)
{
    if (x[blockIdx.x * THREADS + threadIdx.x] % 3 == 0) {
        atomicAdd_block(&of_block[blockIdx.x], 1);
#ifdef BUG
        atomicAdd_block(all, 1); // EXPECTED
#else
        atomicAdd(all, 1);
#endif
    }
}

int main()
{
    int x[BLOCKS * THREADS], counts[1 + BLOCKS], *d_x, *d_counts, expected = 0, sum = 0;
    for (int i = 0; i < BLOCKS * THREADS; i++) {
        x[i] = i * 7 % 11;
        expected += x[i] % 3 == 0;
    }
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_counts, sizeof(counts));
    cudaMemset(d_counts, 0, sizeof(counts));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    count_kernel<<<BLOCKS, THREADS>>>(d_x, d_counts, d_counts + 1);
    cudaMemcpy(counts, d_counts, sizeof(counts), cudaMemcpyDeviceToHost);
    for (int b = 0; b < BLOCKS; b++)
        sum += counts[1 + b];
    const bool right = counts[0] == expected && sum == expected;
    printf("%s: %d of %d\n", right ? "PASS" : "FAIL", counts[0], expected);
    cudaFree(d_x);
    cudaFree(d_counts);
    return !right;
}
