// expect: race-host
// The host writes the next piece into the pinned buffer from which the copy of the last one may
// still read.
// Without BUG: it waits for the event behind the copy first.
#include <stdio.h>

#define PIECE  500
#define PIECES 3

__global__ void negate_kernel(int *y, const int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = -x[i];
}

int main()
{
    int y[PIECES * PIECE], *buffer, *d_x, *d_y, wrong = 0;
    cudaStream_t s;
    cudaEvent_t copied;
    cudaStreamCreate(&s);
    cudaEventCreate(&copied);
    cudaHostAlloc(&buffer, PIECE * sizeof(int), cudaHostAllocDefault);
    cudaMalloc(&d_x, PIECE * sizeof(int));
    cudaMalloc(&d_y, sizeof(y));
    for (int k = 0; k < PIECES; k++) {
#ifndef BUG
        cudaEventSynchronize(copied);
#endif
        for (int i = 0; i < PIECE; i++)
            buffer[i] = k * PIECE + i;                                                // EXPECTED
        cudaMemcpyAsync(d_x, buffer, PIECE * sizeof(int), cudaMemcpyHostToDevice, s); // EXPECTED
        cudaEventRecord(copied, s);
        negate_kernel<<<(PIECE + 127) / 128, 128, 0, s>>>(d_y + k * PIECE, d_x, PIECE);
    }
    cudaStreamSynchronize(s);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < PIECES * PIECE; i++)
        wrong += y[i] != -i;
    cudaEventDestroy(copied);
    cudaStreamDestroy(s);
    cudaFreeHost(buffer);
    cudaFree(d_x);
    cudaFree(d_y);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
