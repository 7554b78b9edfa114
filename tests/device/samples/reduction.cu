/* Sums by a family of kernels: template parameters for type, block size and "n is a power of two",
 * dynamic shared memory through a struct with one specialisation a type, a switch over block sizes.
 */
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#include "helper_cuda.h"

template <class T> struct SharedMemory {
    __device__ inline operator T *()
    {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
    __device__ inline operator const T *() const
    {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
};

template <> struct SharedMemory<double> {
    __device__ inline operator double *()
    {
        extern __shared__ double __smem_d[];
        return (double *)__smem_d;
    }
    __device__ inline operator const double *() const
    {
        extern __shared__ double __smem_d[];
        return (double *)__smem_d;
    }
};

/* Interleaved addressing, with a modulo. */
template <class T> __global__ void reduce0(T *g_idata, T *g_odata, unsigned int n)
{
    T *sdata = SharedMemory<T>();
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    sdata[tid] = (i < n) ? g_idata[i] : 0;
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if ((tid % (2 * s)) == 0) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}

/* Sequential addressing. */
template <class T> __global__ void reduce2(T *g_idata, T *g_odata, unsigned int n)
{
    T *sdata = SharedMemory<T>();
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    sdata[tid] = (i < n) ? g_idata[i] : 0;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}

/* Unrolled by the block size, the last warp by shuffles, several elements a thread. */
template <class T, unsigned int blockSize, bool nIsPow2>
__global__ void reduce6(T *g_idata, T *g_odata, unsigned int n)
{
    T *sdata = SharedMemory<T>();
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    T mySum = 0;

    while (i < n) {
        mySum += g_idata[i];
        if (nIsPow2 || i + blockSize < n)
            mySum += g_idata[i + blockSize];
        i += gridSize;
    }
    sdata[tid] = mySum;
    __syncthreads();

    if ((blockSize >= 512) && (tid < 256)) {
        sdata[tid] = mySum = mySum + sdata[tid + 256];
    }
    __syncthreads();
    if ((blockSize >= 256) && (tid < 128)) {
        sdata[tid] = mySum = mySum + sdata[tid + 128];
    }
    __syncthreads();
    if ((blockSize >= 128) && (tid < 64)) {
        sdata[tid] = mySum = mySum + sdata[tid + 64];
    }
    __syncthreads();
    if (tid < 32) {
        if (blockSize >= 64)
            mySum += sdata[tid + 32];
        for (int offset = warpSize / 2; offset > 0; offset /= 2) {
            mySum += __shfl_down_sync(0xffffffff, mySum, offset);
        }
    }
    if (tid == 0)
        g_odata[blockIdx.x] = mySum;
}

static bool isPow2(unsigned int x)
{
    return ((x & (x - 1)) == 0);
}

template <class T>
void reduce(int size, int threads, int blocks, int whichKernel, T *d_idata, T *d_odata)
{
    dim3 dimBlock(threads, 1, 1);
    dim3 dimGrid(blocks, 1, 1);
    int smemSize = threads * sizeof(T);

    switch (whichKernel) {
    case 0:
        reduce0<T><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
        break;
    case 2:
        reduce2<T><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
        break;
    case 6:
    default:
        if (isPow2(size) && size >= 2 * threads) {
            switch (threads) {
            case 512:
                reduce6<T, 512, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
                break;
            case 256:
                reduce6<T, 256, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
                break;
            case 64:
                reduce6<T, 64, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
                break;
            }
        } else {
            switch (threads) {
            case 512:
                reduce6<T, 512, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
                break;
            case 256:
                reduce6<T, 256, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
                break;
            case 64:
                reduce6<T, 64, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
                break;
            }
        }
        break;
    }
    getLastCudaError("Kernel execution failed");
}

template <class T> bool run(const char *type, int size, int threads, int whichKernel)
{
    int perBlock = whichKernel == 6 ? 2 * threads : threads;
    int blocks = iDivUp(size, perBlock);
    if (whichKernel == 6 && blocks > 8)
        blocks = 8;
    std::vector<T> h_idata(size), h_odata(blocks);
    T expected = 0, result = 0;
    for (int i = 0; i < size; i++)
        expected += h_idata[i] = (T)(i % 32) / 2;
    T *d_idata = NULL, *d_odata = NULL;
    checkCudaErrors(cudaMalloc((void **)&d_idata, size * sizeof(T)));
    checkCudaErrors(cudaMalloc((void **)&d_odata, blocks * sizeof(T)));
    checkCudaErrors(cudaMemcpy(d_idata, &h_idata[0], size * sizeof(T), cudaMemcpyHostToDevice));
    reduce<T>(size, threads, blocks, whichKernel, d_idata, d_odata);
    checkCudaErrors(cudaMemcpy(&h_odata[0], d_odata, blocks * sizeof(T), cudaMemcpyDeviceToHost));
    for (int i = 0; i < blocks; i++)
        result += h_odata[i];
    if (result != expected)
        printf("%s, kernel %d, %d elements, %d threads: %g, expected %g\n", type, whichKernel, size,
               threads, (double)result, (double)expected);
    checkCudaErrors(cudaFree(d_idata));
    checkCudaErrors(cudaFree(d_odata));
    return result == expected;
}

int main(int argc, char **argv)
{
    findCudaDevice(argc, (const char **)argv);
    bool right = true;
    const int kernels[] = {0, 2, 6}, sizes[] = {1, 4096, 5003}, threads[] = {64, 256, 512};
    for (int kernel : kernels)
        for (int size : sizes)
            for (int t : threads) {
                right = run<int>("int", size, t, kernel) && right;
                right = run<float>("float", size, t, kernel) && right;
                right = run<double>("double", size, t, kernel) && right;
            }
    printf(right ? "PASS\n" : "FAIL\n");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
