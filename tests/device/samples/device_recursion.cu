/* Functions that call themselves in a kernel. */
#include <cstdio>
#include <cuda_runtime.h>

__device__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

__global__ void recursion_kernel(int *y)
{
    const int t = threadIdx.x;
    y[t] = t < 16 ? fibonacci(t) : ackermann(2, t - 16);
}

int main()
{
    int y[20], *d_y, a = 0, b = 1;
    bool right = true;
    cudaMalloc(&d_y, sizeof y);
    recursion_kernel<<<1, 20>>>(d_y);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++) {
        right = right && y[i] == a;
        const int next = a + b;
        a = b;
        b = next;
    }
    for (int i = 16; i < 20; i++)
        right = right && y[i] == 2 * (i - 16) + 3;
    cudaFree(d_y);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
