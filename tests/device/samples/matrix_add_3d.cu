/* A grid and blocks of three dimensions, none of which divides the array. */
#include <cstdio>
#include <cuda_runtime.h>

#define X 13
#define Y 7
#define Z 5

__global__ void index_kernel(int *a)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
              z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < X && y < Y && z < Z)
        a[(z * Y + y) * X + x] += x + 100 * y + 10000 * z;
}

int main()
{
    int a[X * Y * Z], *d_a;
    bool right = true;
    const dim3 block(4, 4, 2), grid((X + 3) / 4, (Y + 3) / 4, (Z + 1) / 2);
    cudaMalloc(&d_a, sizeof a);
    cudaMemset(d_a, 0, sizeof a);
    index_kernel<<<grid, block>>>(d_a);
    index_kernel<<<grid, block>>>(d_a);
    cudaMemcpy(a, d_a, sizeof a, cudaMemcpyDeviceToHost);
    for (int i = 0; i < X * Y * Z; i++)
        right = right && a[i] == 2 * (i % X + 100 * (i / X % Y) + 10000 * (i / X / Y));
    cudaFree(d_a);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
