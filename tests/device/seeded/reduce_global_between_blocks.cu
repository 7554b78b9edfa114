// expect: race-global
// A reduction in global memory by several blocks, whose steps are separated by a barrier of the
// block alone.
// Without BUG: one launch a step.
#include <stdio.h>

#define N       1024
#define THREADS 128

#ifdef BUG
__global__ void sum_kernel(int *x)
#else
__global__ void step_kernel(int *x, int d)
#endif
{
    int i = blockIdx.x * THREADS + threadIdx.x;
#ifdef BUG
    for (int d = N / 2; d > 0; d /= 2) {
        if (i < d)
            x[i] += x[i + d]; // EXPECTED
        __syncthreads();
    }
#else
    if (i < d)
        x[i] += x[i + d];
#endif
}

int main()
{
    int x[N], *d_x, want = 0, got;
    for (int i = 0; i < N; i++)
        want += x[i] = i % 53;
    cudaMalloc(&d_x, sizeof(x));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
#ifdef BUG
    sum_kernel<<<N / 2 / THREADS, THREADS>>>(d_x);
#else
    for (int d = N / 2; d > 0; d /= 2)
        step_kernel<<<N / 2 / THREADS, THREADS>>>(d_x, d);
#endif
    cudaMemcpy(&got, d_x, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%s: %d, expected %d\n", got == want ? "PASS" : "FAIL", got, want);
    cudaFree(d_x);
    return got != want;
}
