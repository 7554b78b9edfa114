// expect: race-shared
// The threads of a block count matches in one shared number by an ordinary ++.
// Without BUG: atomicAdd.
#include <stdio.h>

#define N       2000
#define THREADS 100

__global__ void count_kernel(const int *x, int *counts)
{
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    if (x[blockIdx.x * THREADS + threadIdx.x] % 3 == 0)
#ifdef BUG
        count++; // EXPECTED
#else
        atomicAdd(&count, 1);
#endif
    __syncthreads();
    if (threadIdx.x == 0)
        counts[blockIdx.x] = count;
}

int main()
{
    int x[N], counts[N / THREADS], *d_x, *d_counts, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i * i;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_counts, sizeof(counts));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    count_kernel<<<N / THREADS, THREADS>>>(d_x, d_counts);
    cudaMemcpy(counts, d_counts, sizeof(counts), cudaMemcpyDeviceToHost);
    for (int b = 0; b < N / THREADS; b++) {
        int want = 0;
        for (int k = 0; k < THREADS; k++)
            want += x[b * THREADS + k] % 3 == 0;
        wrong += counts[b] != want;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_counts);
    return wrong != 0;
}
