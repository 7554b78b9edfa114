// The twin of reduce_global_between_blocks.bug.cu: one launch a step.
#include <stdio.h>

#define N       1024
#define THREADS 128

__global__ void step_kernel(int *x, int d)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < d)
        x[i] += x[i + d];
}

int main()
{
    int x[N], *d_x, want = 0, got;
    for (int i = 0; i < N; i++)
        want += x[i] = i % 53;
    cudaMalloc(&d_x, sizeof(x));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    for (int d = N / 2; d > 0; d /= 2)
        step_kernel<<<N / 2 / THREADS, THREADS>>>(d_x, d);
    cudaMemcpy(&got, d_x, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%s: %d, expected %d\n", got == want ? "PASS" : "FAIL", got, want);
    cudaFree(d_x);
    return got != want;
}
