/* Managed memory, each byte of it used by one side at a time: two streams have a part each, the
 * host works on a third meanwhile; then they change places. */
#include <stdio.h>
#include <cuda_runtime.h>

#include "helper_cuda.h"

#define PART 700

__managed__ int rounds;

__global__ void add_kernel(int *x, int n, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += value;
}

__global__ void count_kernel(void)
{
    rounds++;
}

static void add_on_host(int *x, int n, int value)
{
    for (int i = 0; i < n; i++)
        x[i] += value;
}

int main(void)
{
    int *x, wrong = 0;
    cudaStream_t stream[2];
    checkCudaErrors(cudaMallocManaged(&x, 3 * PART * sizeof(int)));
    for (int k = 0; k < 2; k++)
        checkCudaErrors(cudaStreamCreate(&stream[k]));
    for (int i = 0; i < 3 * PART; i++)
        x[i] = i;
    for (int round = 0; round < 3; round++) {
        for (int k = 0; k < 2; k++)
            add_kernel<<<(PART + 127) / 128, 128, 0, stream[k]>>>(x + (round + k) % 3 * PART, PART,
                                                                  1 << (4 * k));
        add_on_host(x + (round + 2) % 3 * PART, PART, 1 << 8);
        count_kernel<<<1, 1, 0, stream[1]>>>();
        checkCudaErrors(cudaStreamSynchronize(stream[0]));
        checkCudaErrors(cudaStreamSynchronize(stream[1]));
        wrong += rounds != round + 1;
    }
    for (int i = 0; i < 3 * PART; i++)
        wrong += x[i] != i + 0x111;
    for (int k = 0; k < 2; k++)
        checkCudaErrors(cudaStreamDestroy(stream[k]));
    checkCudaErrors(cudaFree(x));
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
