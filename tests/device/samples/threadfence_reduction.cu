/* A sum in one launch: the block that finishes last, found by a counter, adds up the blocks' sums.
 */
#include <cstdio>
#include <cuda_runtime.h>

__device__ unsigned int retirementCount = 0;

template <unsigned int blockSize> __device__ float blockReduce(volatile float *sdata, float mySum)
{
    const unsigned int tid = threadIdx.x;
    sdata[tid] = mySum;
    __syncthreads();
    if (blockSize >= 256) {
        if (tid < 128)
            sdata[tid] = mySum = mySum + sdata[tid + 128];
        __syncthreads();
    }
    if (blockSize >= 128) {
        if (tid < 64)
            sdata[tid] = mySum = mySum + sdata[tid + 64];
        __syncthreads();
    }
    if (tid < 32) {
        if (blockSize >= 64)
            mySum += sdata[tid + 32];
        for (int d = 16; d > 0; d >>= 1)
            mySum += __shfl_xor_sync(0xffffffff, mySum, d);
    }
    return mySum;
}

template <unsigned int blockSize>
__global__ void reduceSinglePass(const float *g_idata, volatile float *g_odata, unsigned int n)
{
    __shared__ float smem[blockSize];
    __shared__ bool amLast;
    const unsigned int tid = threadIdx.x;
    float mySum = 0;

    for (unsigned int i = blockIdx.x * blockSize + tid; i < n; i += blockSize * gridDim.x)
        mySum += g_idata[i];
    mySum = blockReduce<blockSize>(smem, mySum);
    if (tid == 0) {
        g_odata[blockIdx.x] = mySum;
        __threadfence();
        unsigned int ticket = atomicInc(&retirementCount, gridDim.x);
        amLast = (ticket == gridDim.x - 1);
    }
    __syncthreads();
    if (amLast) {
        __threadfence();
        mySum = 0;
        for (unsigned int i = tid; i < gridDim.x; i += blockSize)
            mySum += g_odata[i];
        mySum = blockReduce<blockSize>(smem, mySum);
        if (tid == 0) {
            g_odata[0] = mySum;
            retirementCount = 0;
        }
    }
}

static cudaError_t setRetirementCount(int retCnt)
{
    return cudaMemcpyToSymbol(retirementCount, &retCnt, sizeof(unsigned int), 0,
                              cudaMemcpyHostToDevice);
}

int main()
{
    const unsigned int n = 100003, blocks = 64;
    static float h[n];
    float *d_idata, *d_odata, result = 0, expected = 0;
    bool right = true;

    for (unsigned int i = 0; i < n; i++)
        expected += h[i] = i % 4;
    cudaMalloc(&d_idata, sizeof(h));
    cudaMalloc(&d_odata, blocks * sizeof(float));
    cudaMemcpy(d_idata, h, sizeof(h), cudaMemcpyHostToDevice);
    right = setRetirementCount(0) == cudaSuccess;
    for (int threads = 64; threads <= 256; threads *= 2) {
        switch (threads) {
        case 64:
            reduceSinglePass<64><<<blocks, 64>>>(d_idata, d_odata, n);
            break;
        case 128:
            reduceSinglePass<128><<<blocks, 128>>>(d_idata, d_odata, n);
            break;
        case 256:
            reduceSinglePass<256><<<blocks, 256>>>(d_idata, d_odata, n);
            break;
        }
        cudaMemcpy(&result, d_odata, sizeof(float), cudaMemcpyDeviceToHost);
        right = right && result == expected;
    }
    printf("%s: %.0f, expected %.0f\n", right ? "PASS" : "FAIL", result, expected);
    cudaFree(d_idata);
    cudaFree(d_odata);
    return !right;
}
