// expect: divergent-barrier
// A device function with a barrier is called by the first half of the threads alone.
// Without BUG: all threads call it.
#include <stdio.h>

#define N       768
#define THREADS 96

__device__ int block_sum(int *s)
{
    int t = threadIdx.x;
    for (int d = 48; d >= 3; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads(); // EXPECTED
    }
    return s[0] + s[1] + s[2];
}

__global__ void sum_kernel(const int *x, int *sums)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * THREADS + t];
    __syncthreads();
#ifdef BUG
    if (t < 48) {
        int sum = block_sum(s);
        if (t == 0)
            sums[blockIdx.x] = sum;
    }
#else
    int sum = block_sum(s);
    if (t == 0)
        sums[blockIdx.x] = sum;
#endif
}

int main()
{
    int x[N], sums[N / THREADS], *d_x, *d_sums, want = 0, got = 0;
    for (int i = 0; i < N; i++)
        want += x[i] = 7 * i % 31;
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
