/* Shared arrays declared outside of functions, of fixed and of dynamic size, used by several kernels
 * and by a device function. */
#include <cstdio>
#include <cuda_runtime.h>

#define THREADS 64

extern __shared__ float buffer[];
__shared__ int tile[THREADS], sum;

__device__ void load(const float *x, int i, int n)
{
    buffer[threadIdx.x] = i < n ? x[i] : 0.0f;
}

__global__ void reverse_blocks(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    load(x, i, n);
    __syncthreads();
    if (i < n)
        y[i] = buffer[blockDim.x - 1 - threadIdx.x];
}

__global__ void rotate_ints(int *x)
{
    tile[threadIdx.x] = x[blockIdx.x * THREADS + threadIdx.x];
    __syncthreads();
    x[blockIdx.x * THREADS + threadIdx.x] = tile[(threadIdx.x + 1) % THREADS];
}

__global__ void sum_blocks(const int *x, int *sums)
{
    if (threadIdx.x == 0)
        sum = 0;
    tile[threadIdx.x] = x[blockIdx.x * THREADS + threadIdx.x];
    __syncthreads();
    atomicAdd(&sum, tile[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

int main()
{
    const int blocks = 3, n = blocks * THREADS;
    float h_x[n], h_y[n], *d_x, *d_y;
    int h_k[n], h_sums[blocks], *d_k, *d_sums;
    bool right = true;

    for (int i = 0; i < n; i++) {
        h_x[i] = (float)i;
        h_k[i] = i;
    }
    cudaMalloc(&d_x, sizeof h_x);
    cudaMalloc(&d_y, sizeof h_y);
    cudaMalloc(&d_k, sizeof h_k);
    cudaMalloc(&d_sums, sizeof h_sums);
    cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice);
    cudaMemcpy(d_k, h_k, sizeof h_k, cudaMemcpyHostToDevice);

    reverse_blocks<<<blocks, THREADS, THREADS * sizeof(float)>>>(d_x, d_y, n);
    rotate_ints<<<blocks, THREADS>>>(d_k);
    sum_blocks<<<blocks, THREADS>>>(d_k, d_sums);
    rotate_ints<<<blocks, THREADS>>>(d_k);
    cudaMemcpy(h_y, d_y, sizeof h_y, cudaMemcpyDeviceToHost);
    cudaMemcpy(h_k, d_k, sizeof h_k, cudaMemcpyDeviceToHost);
    cudaMemcpy(h_sums, d_sums, sizeof h_sums, cudaMemcpyDeviceToHost);

    for (int i = 0; i < n; i++) {
        int block = i / THREADS, lane = i % THREADS;
        right = right && h_y[i] == (float)(block * THREADS + THREADS - 1 - lane);
        right = right && h_k[i] == block * THREADS + (lane + 2) % THREADS;
    }
    for (int b = 0; b < blocks; b++)
        right = right && h_sums[b] == THREADS * b * THREADS + THREADS * (THREADS - 1) / 2;
    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");

    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_k);
    cudaFree(d_sums);
    return right ? 0 : 1;
}
