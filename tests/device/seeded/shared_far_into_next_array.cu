// expect: oob-shared
// A function that is given a shared array reads as far behind it as it is long, in the next one.
// Without BUG: it reads inside.
#include <cstdio>
#include <cuda_runtime.h>

#define N 64

__device__ int next_of(const int *s, int t)
{
#ifdef BUG
    return s[t + N]; // EXPECTED
#else
    return s[(t + 1) % N];
#endif
}

__global__ void steps_kernel(const int *x, int *y)
{
    __shared__ int s_x[N];
    __shared__ int s_other[4 * N];
    const int t = threadIdx.x;
    for (int i = t; i < 4 * N; i += N)
        s_other[i] = i;
    s_x[t] = x[t];
    __syncthreads();
    y[t] = next_of(s_x, t) - s_x[t] + s_other[t] - t;
}

int main()
{
    int x[N], y[N], *d_x, *d_y, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i * i;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    steps_kernel<<<1, N>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_y);
    for (int i = 0; i < N; i++)
        wrong += y[i] != x[(i + 1) % N] - x[i];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
