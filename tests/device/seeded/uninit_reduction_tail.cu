// expect: uninit-shared
// The last block of a reduction has fewer elements than threads, and adds up what was never
// loaded.
// Without BUG: threads without an element load 0.
#include <stdio.h>

#define N       1000
#define THREADS 128
#define BLOCKS  ((N + THREADS - 1) / THREADS)

__global__ void sum_kernel(const int *x, int *sums)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
#ifdef BUG
    if (i < N)
        s[t] = x[i];
#else
    s[t] = i < N ? x[i] : 0;
#endif
    __syncthreads();
    for (int d = THREADS / 2; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d]; // EXPECTED
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = s[0];
}

int main()
{
    int x[N], sums[BLOCKS], *d_x, *d_sums, want = 0, got = 0;
    for (int i = 0; i < N; i++)
        want += x[i] = i % 61;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_sums, sizeof(sums));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    sum_kernel<<<BLOCKS, THREADS>>>(d_x, d_sums);
    cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost);
    for (int b = 0; b < BLOCKS; b++)
        got += sums[b];
    printf("%s: %d, expected %d\n", got == want ? "PASS" : "FAIL", got, want);
    cudaFree(d_x);
    cudaFree(d_sums);
    return got != want;
}
