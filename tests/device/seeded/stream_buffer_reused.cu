// expect: race-stream
// Pieces of an array go through one buffer on the device: the copy of the next piece, on its own
// stream, does not wait for the kernel that still reads the last one.
// Without BUG: it waits for the event that is recorded behind the kernel.
#include <stdio.h>

#define PIECE  1024
#define PIECES 4

__global__ void add_kernel(int *sums, const int *piece)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[i] += piece[i];
}

int main()
{
    int *x, sums[PIECE], *d_piece, *d_sums, wrong = 0;
    cudaStream_t copy, compute;
    cudaEvent_t copied, used;
    const size_t bytes = PIECE * sizeof(int);
    cudaMallocHost(&x, PIECES * bytes);
    cudaMalloc(&d_piece, bytes);
    cudaMalloc(&d_sums, bytes);
    cudaStreamCreateWithFlags(&copy, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking);
    cudaEventCreate(&copied);
    cudaEventCreate(&used);
    for (int i = 0; i < PIECES * PIECE; i++)
        x[i] = i;
    cudaMemset(d_sums, 0, bytes);
    cudaDeviceSynchronize();
    for (int k = 0; k < PIECES; k++) {
#ifndef BUG
        cudaStreamWaitEvent(copy, used, 0);
#endif
        const int *from = x + k * PIECE;
        cudaMemcpyAsync(d_piece, from, bytes, cudaMemcpyHostToDevice, copy); // EXPECTED
        cudaEventRecord(copied, copy);
        cudaStreamWaitEvent(compute, copied, 0);
        add_kernel<<<PIECE / 256, 256, 0, compute>>>(d_sums, d_piece); // EXPECTED
        cudaEventRecord(used, compute);
    }
    cudaDeviceSynchronize();
    cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost);
    for (int i = 0; i < PIECE; i++)
        wrong += sums[i] != PIECES * i + PIECE * (PIECES * (PIECES - 1) / 2);
    cudaEventDestroy(copied);
    cudaEventDestroy(used);
    cudaStreamDestroy(copy);
    cudaStreamDestroy(compute);
    cudaFree(d_piece);
    cudaFree(d_sums);
    cudaFreeHost(x);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
