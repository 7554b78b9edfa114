/* Functions of the host in the order of a stream: one adds up what was copied before it and fills
 * the buffer that is copied after it; another is told how the stream's work ended. */
#include <stdio.h>
#include <cuda_runtime.h>

#include "helper_cuda.h"

#define N 512

struct work {
    int *buffer;
    long long sum;
    int calls;
};

__global__ void increment_kernel(int *x)
{
    x[threadIdx.x]++;
}

static void CUDART_CB add_and_fill(void *data)
{
    struct work *w = (struct work *)data;
    for (int i = 0; i < N; i++) {
        w->sum += w->buffer[i];
        w->buffer[i] = 10 * i;
    }
    w->calls++;
}

static void CUDART_CB add_again(cudaStream_t stream, cudaError_t status, void *data)
{
    struct work *w = (struct work *)data;
    (void)stream;
    if (status == cudaSuccess)
        for (int i = 0; i < N; i++)
            w->sum += w->buffer[i];
    w->calls++;
}

int main(void)
{
    struct work w[2] = {};
    int *d_x[2], wrong = 0;
    cudaStream_t stream[2];
    for (int k = 0; k < 2; k++) {
        checkCudaErrors(cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking));
        checkCudaErrors(cudaMallocHost(&w[k].buffer, N * sizeof(int)));
        checkCudaErrors(cudaMalloc(&d_x[k], N * sizeof(int)));
    }
    for (int k = 0; k < 2; k++) {
        const size_t bytes = N * sizeof(int);
        cudaStream_t s = stream[k];
        checkCudaErrors(cudaMemsetAsync(d_x[k], 0, bytes, s));
        increment_kernel<<<1, N, 0, s>>>(d_x[k]);
        checkCudaErrors(cudaMemcpyAsync(w[k].buffer, d_x[k], bytes, cudaMemcpyDeviceToHost, s));
        checkCudaErrors(cudaLaunchHostFunc(s, add_and_fill, &w[k]));
        checkCudaErrors(cudaMemcpyAsync(d_x[k], w[k].buffer, bytes, cudaMemcpyHostToDevice, s));
        increment_kernel<<<1, N, 0, s>>>(d_x[k]);
        checkCudaErrors(cudaMemcpyAsync(w[k].buffer, d_x[k], bytes, cudaMemcpyDeviceToHost, s));
        checkCudaErrors(cudaStreamAddCallback(s, add_again, &w[k], 0));
    }
    for (int k = 0; k < 2; k++) {
        checkCudaErrors(cudaStreamSynchronize(stream[k]));
        wrong += w[k].calls != 2 || w[k].sum != N + 5LL * N * (N - 1) + N;
        for (int i = 0; i < N; i++)
            wrong += w[k].buffer[i] != 10 * i + 1;
    }
    for (int k = 0; k < 2; k++) {
        checkCudaErrors(cudaStreamDestroy(stream[k]));
        checkCudaErrors(cudaFree(d_x[k]));
        checkCudaErrors(cudaFreeHost(w[k].buffer));
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
