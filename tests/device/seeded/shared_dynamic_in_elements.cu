// expect: oob-shared
// The launch gives the number of elements where it wants the bytes of shared memory.
// Without BUG: THREADS * sizeof(float).
#include <stdio.h>

#define N       512
#define THREADS 128

__global__ void reverse_kernel(const float *x, float *y)
{
    extern __shared__ float s[];
    int t = threadIdx.x, first = blockIdx.x * THREADS;
    s[t] = x[first + t]; // EXPECTED
    __syncthreads();
    y[first + t] = s[THREADS - 1 - t]; // EXPECTED
}

int main()
{
    float x[N], y[N], *d_x, *d_y;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
#ifdef BUG
    reverse_kernel<<<N / THREADS, THREADS, THREADS>>>(d_x, d_y);
#else
    reverse_kernel<<<N / THREADS, THREADS, THREADS * sizeof(float)>>>(d_x, d_y);
#endif
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != x[i / THREADS * THREADS + THREADS - 1 - i % THREADS];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
