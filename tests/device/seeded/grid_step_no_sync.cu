// expect: race-global
// Blocks of a cooperative launch read their neighbours' cells of the step before, without waiting
// for these between the steps: the barrier is that of a block.
// Without BUG: the grid's.
#include <cooperative_groups.h>
#include <stdio.h>

#define N     512
#define STEPS 4

__global__ void steps_kernel(int *x, int *y, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int s = 0; s < steps; s++) {
        y[i] = x[(i + 1) % N] + 1; // EXPECTED
#ifdef BUG
        __syncthreads();
#else
        cooperative_groups::this_grid().sync();
#endif
        int *t = x;
        x = y;
        y = t;
    }
}

int main()
{
    int host[N], *x, *y, steps = STEPS, wrong = 0;
    for (int i = 0; i < N; i++)
        host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(y, host, sizeof host, cudaMemcpyHostToDevice);
    void *arguments[] = {&x, &y, &steps};
    cudaLaunchCooperativeKernel((void *)steps_kernel, 4, N / 4, arguments, 0, 0);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += host[i] != (i + STEPS) % N + STEPS;
    cudaFree(x);
    cudaFree(y);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
