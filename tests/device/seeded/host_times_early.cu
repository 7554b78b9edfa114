// expect: race-host
// The time between two events is asked for when the second may not have come yet.
// Without BUG: the host waits for it.
#include <cstdio>
#include <cuda_runtime.h>

#define N 256

__global__ void scale_kernel(float *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

int main()
{
    float x[N], ms = -1, *d_x;
    int wrong = 0;
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaMalloc(&d_x, sizeof x);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    cudaEventRecord(start);
    scale_kernel<<<N / 64, 64>>>(d_x);
    cudaEventRecord(stop); // EXPECTED
#ifndef BUG
    cudaEventSynchronize(stop);
#endif
    cudaEventElapsedTime(&ms, start, stop); // EXPECTED
    cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += x[i] != 2.0f * i;
    cudaFree(d_x);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    printf("%s: %d wrong%s\n", wrong ? "FAIL" : "PASS", wrong, ms < 0 ? ", no time" : "");
    return wrong != 0;
}
