// expect: race-host
// The host reads pinned memory that an asynchronous copy may still write.
// Without BUG: it waits for the copy's stream.
#include <stdio.h>

#define N 3000

__global__ void sequence_kernel(int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = i * i;
}

int main()
{
    int *y, *d_y, wrong = 0;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMallocHost(&y, N * sizeof(int));
    cudaMalloc(&d_y, N * sizeof(int));
    sequence_kernel<<<(N + 255) / 256, 256, 0, s>>>(d_y, N);
    cudaMemcpyAsync(y, d_y, N * sizeof(int), cudaMemcpyDeviceToHost, s); // EXPECTED
#ifndef BUG
    cudaStreamSynchronize(s);
#endif
    for (int i = 0; i < N; i++)
        wrong += y[i] != i * i; // EXPECTED
    cudaStreamDestroy(s);
    cudaFree(d_y);
    cudaFreeHost(y);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
