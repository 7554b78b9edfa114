// expect: divergent-barrier
// Threads beyond the end return before the barrier that the others wait at.
// Without BUG: no thread returns before the barrier.
#include <stdio.h>

#define N       1000
#define THREADS 256

__global__ void reverse_kernel(const int *x, int *y, int n)
{
    __shared__ int s[THREADS];
    int first = blockIdx.x * THREADS, i = first + threadIdx.x;
#ifndef BUG
    if (i < n)
        s[threadIdx.x] = x[i];
    __syncthreads();
#endif
    if (i >= n)
        return;
#ifdef BUG
    s[threadIdx.x] = x[i];
    __syncthreads(); // EXPECTED
#endif
    int length = n - first < THREADS ? n - first : THREADS;
    y[i] = s[length - 1 - threadIdx.x];
}

int main()
{
    int x[N], y[N], *d_x, *d_y, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = 3 * i;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    reverse_kernel<<<(N + THREADS - 1) / THREADS, THREADS>>>(d_x, d_y, N);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
        int first = i / THREADS * THREADS, last = first + THREADS < N ? first + THREADS : N;
        wrong += y[i] != x[first + last - 1 - i];
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
