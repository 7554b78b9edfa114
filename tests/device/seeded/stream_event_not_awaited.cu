// expect: race-stream
// An event is recorded behind the first kernel, and the stream of the second never waits for it.
// Without BUG: it does.
#include <stdio.h>

#define N 2048

__global__ void produce_kernel(int *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = 3 * i;
}

__global__ void consume_kernel(int *y, const int *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[N - 1 - i] + 1;
}

int main()
{
    int y[N], *d_x, *d_y, wrong = 0;
    cudaStream_t first, second;
    cudaEvent_t produced;
    cudaMalloc(&d_x, sizeof(y));
    cudaMalloc(&d_y, sizeof(y));
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEventCreateWithFlags(&produced, cudaEventDisableTiming);
    produce_kernel<<<N / 128, 128, 0, first>>>(d_x); // EXPECTED
    cudaEventRecord(produced, first);
#ifndef BUG
    cudaStreamWaitEvent(second, produced, 0);
#endif
    consume_kernel<<<N / 128, 128, 0, second>>>(d_y, d_x); // EXPECTED
    cudaMemcpyAsync(y, d_y, sizeof(y), cudaMemcpyDeviceToHost, second);
    cudaStreamSynchronize(second);
    for (int i = 0; i < N; i++)
        wrong += y[i] != 3 * (N - 1 - i) + 1;
    cudaEventDestroy(produced);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(d_x);
    cudaFree(d_y);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
