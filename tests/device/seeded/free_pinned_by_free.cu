// expect: device-pointer
// Pinned memory is given to the C library, whose it is not.
// Without BUG: it is freed by cudaFreeHost.
#include <stdio.h>
#include <stdlib.h>

#define N 200

__global__ void square_kernel(int *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        x[i] *= x[i];
}

int main()
{
    int *x, *d_x, wrong = 0;
    cudaHostAlloc(&x, N * sizeof(int), cudaHostAllocDefault);
    cudaMalloc(&d_x, N * sizeof(int));
    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaMemcpy(d_x, x, N * sizeof(int), cudaMemcpyHostToDevice);
    square_kernel<<<(N + 63) / 64, 64>>>(d_x);
    cudaMemcpy(x, d_x, N * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += x[i] != i * i;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
#ifdef BUG
    free(x); // EXPECTED
#else
    cudaFreeHost(x);
#endif
    return wrong != 0;
}
