// expect: oob-shared
// Every thread reads its left neighbour's element in shared memory, the first thread too.
// Without BUG: the first thread takes its neighbour from global memory.
#include <stdio.h>

#define N       480
#define THREADS 96

__global__ void delta_kernel(const int *x, int *y)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    s[t] = x[i];
    __syncthreads();
#ifdef BUG
    int left = s[t - 1]; // EXPECTED
#else
    int left = t > 0 ? s[t - 1] : i > 0 ? x[i - 1] : 0;
#endif
    y[i] = s[t] - left;
}

int main()
{
    int x[N], y[N], *d_x, *d_y, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i * i % 1000;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    delta_kernel<<<N / THREADS, THREADS>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != x[i] - (i > 0 ? x[i - 1] : 0);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
