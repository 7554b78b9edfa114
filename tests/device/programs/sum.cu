/* Kernels of three kinds in one small program: without a barrier, with one, with shuffles. Prints
 * one line, and takes the number of elements as its argument. */
#include <cstdio>
#include <cstdlib>
#include <vector>

#ifndef SCALE
#define SCALE 2
#endif

__constant__ float weights[3];
__device__ int blocks_done;

__global__ void scale_kernel(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= SCALE;
}

__global__ void smooth_kernel(const float *x, float *y, int n)
{
    __shared__ float tile[256 + 2];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x + 1] = i < n ? x[i] : 0;
    if (threadIdx.x == 0)
        tile[0] = i > 0 ? x[i - 1] : 0;
    if (threadIdx.x == blockDim.x - 1)
        tile[blockDim.x + 1] = i + 1 < n ? x[i + 1] : 0;
    __syncthreads();
    if (i < n)
        y[i] = weights[0] * tile[threadIdx.x] + weights[1] * tile[threadIdx.x + 1] +
               weights[2] * tile[threadIdx.x + 2];
}

__global__ void sum_kernel(const float *x, float *sum, int n)
{
    extern __shared__ float parts[];
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        v += x[i];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned k = 1; k < blockDim.x / 32; k++)
            v += parts[k];
        atomicAdd(sum, v);
        atomicAdd(&blocks_done, 1);
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000, done;
    float w[3] = {0.25f, 0.5f, 0.25f}, sum = 0, *x, *y, *d_sum;
    std::vector<float> ones(n, 1.0f);
    cudaMalloc(&x, n * sizeof *x);
    cudaMalloc(&y, n * sizeof *y);
    cudaMalloc(&d_sum, sizeof *d_sum);
    cudaMemcpy(x, ones.data(), n * sizeof *x, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(weights, w, sizeof w);
    cudaMemset(d_sum, 0, sizeof *d_sum);
    scale_kernel<<<(n + 255) / 256, 256>>>(x, n);
    smooth_kernel<<<(n + 255) / 256, 256>>>(x, y, n);
    sum_kernel<<<4, 128, 4 * sizeof(float)>>>(y, d_sum, n);
    cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&done, blocks_done, sizeof done);
    printf("sum %g, blocks %d, %s\n", sum, done, cudaGetErrorString(cudaGetLastError()));
    cudaFree(x);
    cudaFree(y);
    cudaFree(d_sum);
    return 0;
}
