// expect: divergent-barrier
// Thread 0 publishes a value and passes a barrier which the other threads do not have.
// Without BUG: the barrier after the branch, for all.
#include <stdio.h>

#define N       256
#define THREADS 32

__global__ void pivot_kernel(const int *x, int *y)
{
    __shared__ int pivot;
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (threadIdx.x == 0) {
        pivot = x[i];
#ifdef BUG
        __syncthreads(); // EXPECTED
#endif
    }
#ifndef BUG
    __syncthreads();
#endif
    y[i] = x[i] - pivot;
}

int main()
{
    int x[N], y[N], *d_x, *d_y, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i * 3 % 50;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    pivot_kernel<<<N / THREADS, THREADS>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != x[i] - x[i / THREADS * THREADS];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
