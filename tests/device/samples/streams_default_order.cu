/* The legacy default stream waits for all blocking streams, and they for it: no event is needed, in
 * either direction. A stream made with cudaStreamNonBlocking is told by events. */
#include <stdio.h>
#include <cuda_runtime.h>

#include "helper_cuda.h"

__global__ void add_kernel(int *x, int n, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += value;
}

int main(void)
{
    const int n = 3000, blocks = (n + 255) / 256;
    int *x, *d_x, wrong = 0;
    cudaStream_t blocking[2], apart;
    cudaEvent_t event;
    checkCudaErrors(cudaMallocHost(&x, n * sizeof(int)));
    checkCudaErrors(cudaMalloc(&d_x, n * sizeof(int)));
    for (int k = 0; k < 2; k++)
        checkCudaErrors(cudaStreamCreate(&blocking[k]));
    checkCudaErrors(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
    checkCudaErrors(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));

    checkCudaErrors(cudaMemset(d_x, 0, n * sizeof(int)));
    add_kernel<<<blocks, 256, 0, blocking[0]>>>(d_x, n, 1);
    add_kernel<<<blocks, 256>>>(d_x, n, 10);
    add_kernel<<<blocks, 256, 0, blocking[1]>>>(d_x, n, 100);
    add_kernel<<<blocks, 256, 0, cudaStreamLegacy>>>(d_x, n, 1000);
    add_kernel<<<blocks, 256, 0, cudaStreamPerThread>>>(d_x, n, 10000);
    checkCudaErrors(cudaEventRecord(event, 0)); // behind all blocking streams
    checkCudaErrors(cudaStreamWaitEvent(apart, event, 0));
    add_kernel<<<blocks, 256, 0, apart>>>(d_x, n, 100000);
    checkCudaErrors(cudaEventRecord(event, apart));
    checkCudaErrors(cudaStreamWaitEvent(0, event, 0));
    add_kernel<<<blocks, 256, 0, blocking[0]>>>(d_x, n, 1000000); // behind the default stream
    checkCudaErrors(cudaMemcpy(x, d_x, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        wrong += x[i] != 1111111;

    for (int k = 0; k < 2; k++)
        checkCudaErrors(cudaStreamDestroy(blocking[k]));
    checkCudaErrors(cudaStreamDestroy(apart));
    checkCudaErrors(cudaEventDestroy(event));
    checkCudaErrors(cudaFree(d_x));
    checkCudaErrors(cudaFreeHost(x));
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
