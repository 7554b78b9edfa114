// expect: race-shared
// Minimum and maximum by the same shared array: the second reduction starts before all have read
// the first's result.
// Without BUG: a barrier between reading the first result and filling the array again.
#include <stdio.h>

#define N       512
#define THREADS 64

__device__ int reduce(int *s, int value, bool largest)
{
    int t = threadIdx.x;
    s[t] = value; // EXPECTED
    __syncthreads();
    for (int d = THREADS / 2; d > 0; d /= 2) {
        if (t < d && (s[t + d] > s[t]) == largest)
            s[t] = s[t + d];
        __syncthreads();
    }
#ifdef BUG
    return s[0]; // EXPECTED
#else
    int result = s[0];
    __syncthreads();
    return result;
#endif
}

__global__ void range_kernel(const int *x, int *ranges)
{
    __shared__ int s[THREADS];
    int value = x[blockIdx.x * THREADS + threadIdx.x];
    int low = reduce(s, value, false);
    int high = reduce(s, value, true);
    ranges[blockIdx.x * THREADS + threadIdx.x] = high - low;
}

int main()
{
    int x[N], ranges[N], *d_x, *d_ranges, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i * 1237 % 1009;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_ranges, sizeof(ranges));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    range_kernel<<<N / THREADS, THREADS>>>(d_x, d_ranges);
    cudaMemcpy(ranges, d_ranges, sizeof(ranges), cudaMemcpyDeviceToHost);
    for (int b = 0; b < N; b += THREADS) {
        int low = x[b], high = x[b];
        for (int k = b; k < b + THREADS; k++) {
            low = x[k] < low ? x[k] : low;
            high = x[k] > high ? x[k] : high;
        }
        for (int k = b; k < b + THREADS; k++)
            wrong += ranges[k] != high - low;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_ranges);
    return wrong != 0;
}
