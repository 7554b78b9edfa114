/* Memory that is allocated and freed in the order of streams: used on a second one, and freed
 * there, behind events; and reused at once. */
#include <stdio.h>
#include <cuda_runtime.h>

#include "helper_cuda.h"

#define N 900

__global__ void fill_kernel(int *x, int n, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = value + i;
}

__global__ void add_kernel(int *y, const int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += x[i];
}

int main(void)
{
    const int rounds = 20, blocks = (N + 127) / 128;
    int y[N], *d_y, wrong = 0;
    cudaStream_t a, b;
    cudaEvent_t filled, added;
    checkCudaErrors(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    checkCudaErrors(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    checkCudaErrors(cudaEventCreate(&filled));
    checkCudaErrors(cudaEventCreate(&added));
    checkCudaErrors(cudaMallocAsync(&d_y, sizeof(y), b));
    checkCudaErrors(cudaMemsetAsync(d_y, 0, sizeof(y), b));
    for (int k = 0; k < rounds; k++) {
        int *d_x;
        checkCudaErrors(cudaMallocAsync(&d_x, sizeof(y), a));
        fill_kernel<<<blocks, 128, 0, a>>>(d_x, N, k);
        checkCudaErrors(cudaEventRecord(filled, a));
        checkCudaErrors(cudaStreamWaitEvent(b, filled, 0));
        add_kernel<<<blocks, 128, 0, b>>>(d_y, d_x, N);
        if (k % 2) {
            checkCudaErrors(cudaFreeAsync(d_x, b));
        } else {
            checkCudaErrors(cudaEventRecord(added, b));
            checkCudaErrors(cudaStreamWaitEvent(a, added, 0));
            checkCudaErrors(cudaFreeAsync(d_x, a));
        }
    }
    checkCudaErrors(cudaMemcpyAsync(y, d_y, sizeof(y), cudaMemcpyDeviceToHost, b));
    checkCudaErrors(cudaFreeAsync(d_y, b));
    checkCudaErrors(cudaStreamSynchronize(b));
    for (int i = 0; i < N; i++)
        wrong += y[i] != rounds * i + rounds * (rounds - 1) / 2;
    checkCudaErrors(cudaStreamDestroy(a));
    checkCudaErrors(cudaStreamDestroy(b));
    checkCudaErrors(cudaEventDestroy(filled));
    checkCudaErrors(cudaEventDestroy(added));
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
