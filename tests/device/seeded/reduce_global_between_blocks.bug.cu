// A reduction in global memory by several blocks, whose steps are separated by a barrier of the
// block alone.
#include <stdio.h>

#define N       1024
#define THREADS 128

__global__ void sum_kernel(int *x)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    for (int d = N / 2; d > 0; d /= 2) {
        if (i < d)
            x[i] += x[i + d]; // EXPECT race-global
        __syncthreads();
    }
}

int main()
{
    int x[N], *d_x, want = 0, got;
    for (int i = 0; i < N; i++)
        want += x[i] = i % 53;
    cudaMalloc(&d_x, sizeof(x));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    sum_kernel<<<N / 2 / THREADS, THREADS>>>(d_x);
    cudaMemcpy(&got, d_x, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%s: %d, expected %d\n", got == want ? "PASS" : "FAIL", got, want);
    cudaFree(d_x);
    return got != want;
}
