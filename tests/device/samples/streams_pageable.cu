/* Asynchronous copies of memory that is not pinned: the source is the host's again when the call
 * returns, and the result is there. */
#include <stdio.h>
#include <vector>
#include <cuda_runtime.h>

#include "helper_cuda.h"

__global__ void square_kernel(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= x[i];
}

int main(void)
{
    const int n = 5000, parts = 4, part = n / parts;
    const size_t bytes = part * sizeof(int);
    std::vector<int> x(part), y(n);
    int *d_x, wrong = 0;
    cudaStream_t stream[parts];
    checkCudaErrors(cudaMalloc(&d_x, n * sizeof(int)));
    for (int k = 0; k < parts; k++) {
        checkCudaErrors(cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking));
        for (int i = 0; i < part; i++)
            x[i] = k * part + i;
        checkCudaErrors(
            cudaMemcpyAsync(d_x + k * part, x.data(), bytes, cudaMemcpyHostToDevice, stream[k]));
        square_kernel<<<(part + 255) / 256, 256, 0, stream[k]>>>(d_x + k * part, part);
    }
    for (int k = 0; k < parts; k++) {
        checkCudaErrors(cudaMemcpyAsync(&y[k * part], d_x + k * part, bytes, cudaMemcpyDeviceToHost,
                                        stream[k]));
        for (int i = k * part; i < (k + 1) * part; i++)
            wrong += y[i] != i * i;
        checkCudaErrors(cudaStreamDestroy(stream[k]));
    }
    checkCudaErrors(cudaFree(d_x));
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
