// The twin of shared_next_element.bug.cu: the array has one element more, which is loaded.
#include <stdio.h>

#define N       640
#define THREADS 64

__global__ void mean_kernel(const float *x, float *y)
{
    __shared__ float s[THREADS + 1];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    s[t] = x[i];
    if (t == THREADS - 1)
        s[THREADS] = i + 1 < N ? x[i + 1] : 0;
    __syncthreads();
    y[i] = 0.5f * (s[t] + s[t + 1]);
}

int main()
{
    float x[N], y[N], *d_x, *d_y;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i % 6;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    mean_kernel<<<N / THREADS, THREADS>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != 0.5f * (x[i] + (i + 1 < N ? x[i + 1] : 0));
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
