// expect: race-shared
// A warp turns its 32 numbers round through shared memory as if its threads moved in step.
// Without BUG: __syncwarp between writing and reading.
#include <stdio.h>

#define N     512
#define WARPS 4

__global__ void reverse_kernel(const int *x, int *y)
{
    __shared__ int s[WARPS][32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int i = blockIdx.x * WARPS * 32 + threadIdx.x;
    s[warp][lane] = x[i]; // EXPECTED
#ifndef BUG
    __syncwarp();
#endif
    y[i] = s[warp][31 - lane]; // EXPECTED
}

int main()
{
    int x[N], y[N], *d_x, *d_y, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    reverse_kernel<<<N / (WARPS * 32), WARPS * 32>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != x[i / 32 * 32 + 31 - i % 32];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
