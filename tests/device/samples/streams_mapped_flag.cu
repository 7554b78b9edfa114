/* A kernel tells the host through mapped memory that its results are there: it writes them, then,
 * behind a fence, a flag, at which the host looks again and again. */
#include <stdio.h>
#include <cuda_runtime.h>

#include "helper_cuda.h"

#define N 64

__global__ void answer_kernel(int *results, volatile int *flag, int question)
{
    results[threadIdx.x] = question * threadIdx.x;
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0)
        *flag = question;
}

int main(void)
{
    int *results, *flag, *d_results, *d_flag, wrong = 0;
    checkCudaErrors(cudaHostAlloc(&results, N * sizeof(int), cudaHostAllocMapped));
    checkCudaErrors(cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped));
    checkCudaErrors(cudaHostGetDevicePointer((void **)&d_results, results, 0));
    checkCudaErrors(cudaHostGetDevicePointer((void **)&d_flag, flag, 0));
    *flag = 0;
    for (int question = 1; question <= 3; question++) {
        answer_kernel<<<1, N>>>(d_results, d_flag, question);
        while (*(volatile int *)flag != question)
            ;
        for (int i = 0; i < N; i++)
            wrong += results[i] != question * i;
    }
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaFreeHost(results));
    checkCudaErrors(cudaFreeHost(flag));
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
