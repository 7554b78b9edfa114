// expect: race-global
// Block 0 clears the grid's sum for the next round while other blocks may still read it, so that some of them
// leave the loop and the others wait for them.
// Without BUG: the grid meets once more before the sum is cleared.
#include <cooperative_groups.h>
#include <stdio.h>

#define BLOCKS 2
#define ROUNDS 3

__global__ void rounds_kernel(int *sum, int *rounds)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int n = 0;
    if (threadIdx.x == 0)
        atomicAdd(sum, 1);
    grid.sync();
    while (*sum == BLOCKS && n < ROUNDS) { // EXPECTED
#ifndef BUG
        grid.sync();
#endif
        if (threadIdx.x == 0 && blockIdx.x == 0)
            *sum = 0; // EXPECTED
        grid.sync();
        if (threadIdx.x == 0)
            atomicAdd(sum, 1);
        grid.sync();
        n++;
    }
    if (threadIdx.x == 0)
        rounds[blockIdx.x] = n;
}

int main()
{
    int rounds[BLOCKS] = {0}, *d_sum, *d_rounds, wrong = 0;
    cudaMalloc(&d_sum, sizeof(int));
    cudaMalloc(&d_rounds, sizeof(rounds));
    cudaMemset(d_sum, 0, sizeof(int));
    void *arguments[] = {&d_sum, &d_rounds};
    cudaLaunchCooperativeKernel((const void *)rounds_kernel, dim3(BLOCKS), dim3(64), arguments, 0, 0);
    cudaMemcpy(rounds, d_rounds, sizeof(rounds), cudaMemcpyDeviceToHost);
    for (int b = 0; b < BLOCKS; b++)
        wrong += rounds[b] != ROUNDS;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_sum);
    cudaFree(d_rounds);
    return wrong != 0;
}
