/* The host works on while streams and events are asked whether they are done, and reads pinned
 * results as soon as one says so. */
#include <stdio.h>
#include <cuda_runtime.h>

#include "helper_cuda.h"

#define STREAMS 3
#define N       777

__global__ void fill_kernel(int *y, int n, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = value * i;
}

int main(void)
{
    int *y[STREAMS], *d_y[STREAMS], wrong = 0, left = STREAMS;
    bool done[STREAMS] = {};
    unsigned long idle = 0;
    cudaStream_t stream[STREAMS];
    cudaEvent_t event;
    checkCudaErrors(cudaEventCreate(&event));
    for (int k = 0; k < STREAMS; k++) {
        checkCudaErrors(cudaStreamCreateWithPriority(&stream[k], cudaStreamNonBlocking, 0));
        checkCudaErrors(cudaMallocHost(&y[k], N * sizeof(int)));
        checkCudaErrors(cudaMalloc(&d_y[k], N * sizeof(int)));
    }
    for (int k = 0; k < STREAMS; k++) {
        fill_kernel<<<(N + 63) / 64, 64, 0, stream[k]>>>(d_y[k], N, k + 1);
        checkCudaErrors(
            cudaMemcpyAsync(y[k], d_y[k], N * sizeof(int), cudaMemcpyDeviceToHost, stream[k]));
    }
    checkCudaErrors(cudaEventRecord(event, stream[0]));
    while (left > 0)
        for (int k = 0; k < STREAMS; k++) {
            if (done[k])
                continue;
            cudaError_t state = k == 0 ? cudaEventQuery(event) : cudaStreamQuery(stream[k]);
            if (state == cudaErrorNotReady) {
                idle++;
                continue;
            }
            checkCudaErrors(state);
            for (int i = 0; i < N; i++)
                wrong += y[k][i] != (k + 1) * i;
            done[k] = true;
            left--;
        }
    for (int k = 0; k < STREAMS; k++) {
        checkCudaErrors(cudaStreamDestroy(stream[k]));
        checkCudaErrors(cudaFree(d_y[k]));
        checkCudaErrors(cudaFreeHost(y[k]));
    }
    checkCudaErrors(cudaEventDestroy(event));
    printf("%s: %d wrong, asked %s\n", wrong ? "FAIL" : "PASS", wrong, idle ? "often" : "once");
    return wrong != 0;
}
