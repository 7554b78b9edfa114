// expect: divergent-barrier
// A shuffle for all 32 lanes stands in a branch which only 16 of them take.
// Without BUG: all lanes shuffle, and the branch uses the result.
#include <stdio.h>

#define N       256
#define THREADS 64

__global__ void pair_kernel(const int *x, int *y)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    int v = x[i], sum = v;
#ifndef BUG
    int other = __shfl_down_sync(0xffffffffu, v, 16);
#endif
    if (t % 32 < 16)
#ifdef BUG
        sum += __shfl_down_sync(0xffffffffu, v, 16); // EXPECTED
#else
        sum += other;
#endif
    s[t] = sum;
    __syncthreads();
    y[i] = s[THREADS - 1 - t];
}

int main()
{
    int x[N], y[N], *d_x, *d_y, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i * i % 91;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    pair_kernel<<<N / THREADS, THREADS>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
        int k = i / THREADS * THREADS + THREADS - 1 - i % THREADS;
        wrong += y[i] != x[k] + (k % 32 < 16 ? x[k + 16] : 0);
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
