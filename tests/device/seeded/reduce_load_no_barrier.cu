// expect: race-shared
// Tree reduction in shared memory: the first step does not wait for the loads.
// Without BUG: a barrier between the loads and the loop.
#include <stdio.h>

#define N       2048
#define THREADS 128

__global__ void sum_kernel(const int *x, int *sums)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x, i = blockIdx.x * (2 * THREADS) + t;
    s[t] = x[i] + x[i + THREADS]; // EXPECTED
#ifndef BUG
    __syncthreads();
#endif
    for (int d = 1; d < THREADS; d *= 2) {
        if (t % (2 * d) == 0)
            s[t] += s[t + d]; // EXPECTED
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = s[0];
}

int main()
{
    const int blocks = N / (2 * THREADS);
    int x[N], sums[blocks], *d_x, *d_sums, want = 0, got = 0;
    for (int i = 0; i < N; i++)
        want += x[i] = 3 * i % 71;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_sums, sizeof(sums));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    sum_kernel<<<blocks, THREADS>>>(d_x, d_sums);
    cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost);
    for (int b = 0; b < blocks; b++)
        got += sums[b];
    printf("%s: %d, expected %d\n", got == want ? "PASS" : "FAIL", got, want);
    cudaFree(d_x);
    cudaFree(d_sums);
    return got != want;
}
