/* Functions of the device in a table of pointers, chosen by each thread. */
#include <cstdio>
#include <cuda_runtime.h>

typedef int (*operation)(int, int);

__device__ int add(int a, int b)
{
    return a + b;
}
__device__ int subtract(int a, int b)
{
    return a - b;
}
__device__ int multiply(int a, int b)
{
    return a * b;
}

__device__ operation table[3] = {add, subtract, multiply};

__global__ void apply_kernel(int *y)
{
    const int t = threadIdx.x;
    const operation o = table[t % 3];
    y[t] = o(t, 7);
}

int main()
{
    int y[30], *d_y;
    bool right = true;
    cudaMalloc(&d_y, sizeof y);
    apply_kernel<<<1, 30>>>(d_y);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 30; i++)
        right = right && y[i] == (i % 3 == 0 ? i + 7 : i % 3 == 1 ? i - 7 : i * 7);
    cudaFree(d_y);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
