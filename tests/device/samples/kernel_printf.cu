/* printf and assert in a kernel. */
#include <assert.h>
#include <stdio.h>
#include <cuda_runtime.h>

__global__ void testKernel(int val)
{
    printf("[%d, %d]:\t\tValue is:%d\n", blockIdx.y * gridDim.x + blockIdx.x,
           threadIdx.z * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x, val);
}

__global__ void formats(const float *x, const char *unit)
{
    assert(x != NULL);
    if (threadIdx.x == 0)
        printf("%.2f %s, %5.1e, %c, %x, %lld, 100%%\n", x[0], unit, (double)x[1], 'k', 255u,
               1ll << 40);
}

int main()
{
    float x[2] = {1.5f, 2000.f}, *d_x;
    char *d_unit;
    dim3 dimGrid(2, 2);
    dim3 dimBlock(2, 2, 2);

    testKernel<<<dimGrid, dimBlock>>>(10);
    cudaDeviceSynchronize();
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_unit, 3);
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpy(d_unit, "ms", 3, cudaMemcpyHostToDevice);
    formats<<<1, 32>>>(d_x, d_unit);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(d_x);
    cudaFree(d_unit);
    printf(error == cudaSuccess ? "PASS\n" : "FAIL\n");
    return error != cudaSuccess;
}
