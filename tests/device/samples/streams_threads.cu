/* Threads of the host, each with a stream, buffers and results of its own, many launches long. */
#include <stdio.h>
#include <thread>
#include <vector>
#include <cuda_runtime.h>

#include "helper_cuda.h"

#define N      400
#define ROUNDS 12

__global__ void step_kernel(unsigned *x, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = x[i] * 5 + 3;
}

static void work(unsigned seed, int *wrong)
{
    unsigned *x, *d_x;
    cudaStream_t s;
    checkCudaErrors(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    checkCudaErrors(cudaMallocHost(&x, N * sizeof(unsigned)));
    checkCudaErrors(cudaMalloc(&d_x, N * sizeof(unsigned)));
    for (unsigned i = 0; i < N; i++)
        x[i] = seed + i;
    checkCudaErrors(cudaMemcpyAsync(d_x, x, N * sizeof(unsigned), cudaMemcpyHostToDevice, s));
    for (int k = 0; k < ROUNDS; k++)
        step_kernel<<<(N + 127) / 128, 128, 0, s>>>(d_x, N);
    checkCudaErrors(cudaMemcpyAsync(x, d_x, N * sizeof(unsigned), cudaMemcpyDeviceToHost, s));
    checkCudaErrors(cudaStreamSynchronize(s));
    for (unsigned i = 0; i < N; i++) {
        unsigned expected = seed + i;
        for (int k = 0; k < ROUNDS; k++)
            expected = expected * 5 + 3;
        *wrong += x[i] != expected;
    }
    checkCudaErrors(cudaFree(d_x));
    checkCudaErrors(cudaFreeHost(x));
    checkCudaErrors(cudaStreamDestroy(s));
}

int main(void)
{
    int wrong[3] = {};
    std::vector<std::thread> threads;
    for (unsigned k = 0; k < 3; k++)
        threads.emplace_back(work, 1000 * k, &wrong[k]);
    for (std::thread &t : threads)
        t.join();
    int sum = wrong[0] + wrong[1] + wrong[2];
    printf("%s: %d wrong\n", sum ? "FAIL" : "PASS", sum);
    return sum != 0;
}
