/* A bitonic sort in shared memory, and one over many launches. */
#include <cstdio>
#include <cuda_runtime.h>

#define N 512

__device__ void order(int &a, int &b, bool up)
{
    if ((a > b) == up) {
        const int c = a;
        a = b;
        b = c;
    }
}

__global__ void block_kernel(int *x)
{
    __shared__ int s[N];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int k = 2; k <= N; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            if ((t ^ j) > t)
                order(s[t], s[t ^ j], (t & k) == 0);
            __syncthreads();
        }
    x[t] = s[t];
}

__global__ void step_kernel(int *x, int j, int k)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((i ^ j) > i)
        order(x[i], x[i ^ j], (i & k) == 0);
}

int main()
{
    int x[N], a[N], b[N], *d_x;
    bool right = true;
    for (int i = 0; i < N; i++)
        x[i] = i * 211 % N;
    cudaMalloc(&d_x, sizeof x);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    block_kernel<<<1, N>>>(d_x);
    cudaMemcpy(a, d_x, sizeof a, cudaMemcpyDeviceToHost);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    for (int k = 2; k <= N; k *= 2)
        for (int j = k / 2; j > 0; j /= 2)
            step_kernel<<<N / 64, 64>>>(d_x, j, k);
    cudaMemcpy(b, d_x, sizeof b, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        right = right && a[i] == i && b[i] == i;
    cudaFree(d_x);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
