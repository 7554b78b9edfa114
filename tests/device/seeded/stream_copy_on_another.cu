// expect: race-stream
// The result is copied on another stream than the one that computes it, and nothing orders the two.
// Without BUG: the stream of the copy waits for an event behind the kernel.
#include <stdio.h>

#define N 4096

__global__ void square_kernel(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
}

int main()
{
    float *x, *y, *d_x, *d_y;
    cudaStream_t compute, copy;
    cudaEvent_t done;
    int wrong = 0;
    cudaMallocHost(&x, N * sizeof(float));
    cudaMallocHost(&y, N * sizeof(float));
    cudaMalloc(&d_x, N * sizeof(float));
    cudaMalloc(&d_y, N * sizeof(float));
    cudaStreamCreate(&compute);
    cudaStreamCreate(&copy);
    cudaEventCreate(&done);
    for (int i = 0; i < N; i++)
        x[i] = i % 100;
    cudaMemcpyAsync(d_x, x, N * sizeof(float), cudaMemcpyHostToDevice, compute);
    square_kernel<<<N / 256, 256, 0, compute>>>(d_y, d_x, N); // EXPECTED
#ifndef BUG
    cudaEventRecord(done, compute);
    cudaStreamWaitEvent(copy, done, 0);
#endif
    cudaMemcpyAsync(y, d_y, N * sizeof(float), cudaMemcpyDeviceToHost, copy); // EXPECTED
    cudaStreamSynchronize(copy);
    for (int i = 0; i < N; i++)
        wrong += y[i] != (float)(i % 100) * (i % 100);
    cudaEventDestroy(done);
    cudaStreamDestroy(compute);
    cudaStreamDestroy(copy);
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFreeHost(x);
    cudaFreeHost(y);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
