// expect: divergent-barrier
// The barrier of a reduction's loop stands inside the branch that only some threads take.
// Without BUG: the barrier after the branch.
#include <stdio.h>

#define N       1024
#define THREADS 128

__global__ void sum_kernel(const int *x, int *sums)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * THREADS + t];
    __syncthreads();
    for (int d = THREADS / 2; d > 0; d /= 2) {
        if (t < d) {
            s[t] += s[t + d];
#ifdef BUG
            __syncthreads(); // EXPECTED
#endif
        }
#ifndef BUG
        __syncthreads();
#endif
    }
    if (t == 0)
        sums[blockIdx.x] = s[0];
}

int main()
{
    int x[N], sums[N / THREADS], *d_x, *d_sums, want = 0, got = 0;
    for (int i = 0; i < N; i++)
        want += x[i] = i % 100;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_sums, sizeof(sums));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    sum_kernel<<<N / THREADS, THREADS>>>(d_x, d_sums);
    cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost);
    for (int b = 0; b < N / THREADS; b++)
        got += sums[b];
    printf("%s: %d, expected %d\n", got == want ? "PASS" : "FAIL", got, want);
    cudaFree(d_x);
    cudaFree(d_sums);
    return got != want;
}
