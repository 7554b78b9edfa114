/* Work forks from one stream to four and joins again, round after round, by events that are
 * recorded anew each time; all four read the same input. */
#include <stdio.h>
#include <cuda_runtime.h>

#include "helper_cuda.h"

#define WAYS   4
#define N      256
#define ROUNDS 5

__global__ void power_kernel(int *y, const int *x, int factor)
{
    y[threadIdx.x] = x[threadIdx.x] * factor;
}

__global__ void sum_kernel(int *x, const int *y)
{
    int sum = 0;
    for (int k = 0; k < WAYS; k++)
        sum += y[k * N + threadIdx.x];
    x[threadIdx.x] = sum % 1000;
}

int main(void)
{
    int x[N], expected[N], *d_x, *d_y, wrong = 0;
    cudaStream_t main_stream, way[WAYS];
    cudaEvent_t fork, joined[WAYS];
    checkCudaErrors(cudaStreamCreateWithFlags(&main_stream, cudaStreamNonBlocking));
    checkCudaErrors(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    for (int k = 0; k < WAYS; k++) {
        checkCudaErrors(cudaStreamCreateWithFlags(&way[k], cudaStreamNonBlocking));
        checkCudaErrors(cudaEventCreateWithFlags(&joined[k], cudaEventDisableTiming));
    }
    checkCudaErrors(cudaMalloc(&d_x, sizeof(x)));
    checkCudaErrors(cudaMalloc(&d_y, WAYS * sizeof(x)));
    for (int i = 0; i < N; i++)
        expected[i] = x[i] = i;
    checkCudaErrors(cudaMemcpyAsync(d_x, x, sizeof(x), cudaMemcpyHostToDevice, main_stream));
    for (int round = 0; round < ROUNDS; round++) {
        checkCudaErrors(cudaEventRecord(fork, main_stream));
        for (int k = 0; k < WAYS; k++) {
            checkCudaErrors(cudaStreamWaitEvent(way[k], fork, 0));
            power_kernel<<<1, N, 0, way[k]>>>(d_y + k * N, d_x, k + 1);
            checkCudaErrors(cudaEventRecord(joined[k], way[k]));
            checkCudaErrors(cudaStreamWaitEvent(main_stream, joined[k], 0));
        }
        sum_kernel<<<1, N, 0, main_stream>>>(d_x, d_y);
        for (int i = 0; i < N; i++)
            expected[i] = expected[i] * 10 % 1000;
    }
    checkCudaErrors(cudaMemcpyAsync(x, d_x, sizeof(x), cudaMemcpyDeviceToHost, main_stream));
    checkCudaErrors(cudaStreamSynchronize(main_stream));
    for (int i = 0; i < N; i++)
        wrong += x[i] != expected[i];
    for (int k = 0; k < WAYS; k++) {
        checkCudaErrors(cudaStreamDestroy(way[k]));
        checkCudaErrors(cudaEventDestroy(joined[k]));
    }
    checkCudaErrors(cudaStreamDestroy(main_stream));
    checkCudaErrors(cudaEventDestroy(fork));
    checkCudaErrors(cudaFree(d_x));
    checkCudaErrors(cudaFree(d_y));
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
