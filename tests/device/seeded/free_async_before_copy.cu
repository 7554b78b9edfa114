// expect: oob-global
// Memory is given back in the stream's order before the copy that takes the result from it.
// Without BUG: the copy is asked for first.
#include <stdio.h>

#define N 256

__global__ void square_kernel(int *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = i * i;
}

int main()
{
    int *x, *d_x, wrong = 0;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocHost(&x, N * sizeof(int));
    for (int i = 0; i < N; i++)
        x[i] = 0;
    cudaMallocAsync(&d_x, N * sizeof(int), stream);
    square_kernel<<<N / 64, 64, 0, stream>>>(d_x);
#ifdef BUG
    cudaFreeAsync(d_x, stream);
#endif
    cudaMemcpyAsync(x, d_x, N * sizeof(int), cudaMemcpyDeviceToHost, stream); // EXPECTED
#ifndef BUG
    cudaFreeAsync(d_x, stream);
#endif
    cudaStreamSynchronize(stream);
    for (int i = 0; i < N; i++)
        wrong += x[i] != i * i;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFreeHost(x);
    cudaStreamDestroy(stream);
    return wrong != 0;
}
