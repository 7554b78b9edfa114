// expect: uninit-global
// The number of blocks is rounded down, the last elements are never computed, and the next
// kernel reads them.
// Without BUG: rounded up.
#include <stdio.h>

#define N       1000
#define THREADS 128

__global__ void square_kernel(const int *x, int *y)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < N)
        y[i] = x[i] * x[i];
}

__global__ void sum_kernel(const int *y, int *sums)
{
    int sum = 0;
    for (int i = threadIdx.x; i < N; i += THREADS)
        sum += y[i]; // EXPECTED
    sums[threadIdx.x] = sum;
}

int main()
{
    int x[N], sums[THREADS], *d_x, *d_y, *d_sums, want = 0, got = 0;
    for (int i = 0; i < N; i++) {
        x[i] = i % 30;
        want += x[i] * x[i];
    }
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(x));
    cudaMalloc(&d_sums, sizeof(sums));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
#ifdef BUG
    square_kernel<<<N / THREADS, THREADS>>>(d_x, d_y);
#else
    square_kernel<<<(N + THREADS - 1) / THREADS, THREADS>>>(d_x, d_y);
#endif
    sum_kernel<<<1, THREADS>>>(d_y, d_sums);
    cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost);
    for (int t = 0; t < THREADS; t++)
        got += sums[t];
    printf("%s: %d, expected %d\n", got == want ? "PASS" : "FAIL", got, want);
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_sums);
    return got != want;
}
