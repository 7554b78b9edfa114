// expect: race-same
// Every thread that finds the value stores the same 1: no harm is seen, and CUDA promises nothing.
// Without BUG: an atomic operation stores it.
#include <cstdio>
#include <cuda_runtime.h>

#define N 256

__global__ void find_kernel(const int *x, int value, int *found)
{
    if (x[blockIdx.x * blockDim.x + threadIdx.x] == value)
#ifdef BUG
        *found = 1; // EXPECTED
#else
        atomicExch(found, 1);
#endif
}

int main()
{
    int x[N], found = 0, *d_x, *d_found;
    for (int i = 0; i < N; i++)
        x[i] = i % 10;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_found, sizeof found);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(d_found, &found, sizeof found, cudaMemcpyHostToDevice);
    find_kernel<<<N / 64, 64>>>(d_x, 7, d_found);
    cudaMemcpy(&found, d_found, sizeof found, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_found);
    printf("%s\n", found == 1 ? "PASS" : "FAIL");
    return found != 1;
}
