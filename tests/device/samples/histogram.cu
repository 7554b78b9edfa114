/* A histogram of bytes: one sub-histogram a warp in shared memory, by shared atomics, words of four
 * bytes loaded at once; then merged by a second kernel, a block a bin. */
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#include "helper_cuda.h"

typedef unsigned int uint;
typedef unsigned char uchar;

#define HISTOGRAM256_BIN_COUNT 256
#define LOG2_WARP_SIZE         5U
#define WARP_SIZE              (1U << LOG2_WARP_SIZE)
#define UINT_BITS              32U
#define TAG_MASK               0xFFFFFFFFU
#define WARP_COUNT             4
#define THREADBLOCK_SIZE       (WARP_COUNT * WARP_SIZE)
#define MERGE_THREADBLOCK_SIZE 64

static const uint PARTIAL_COUNT = 12;

inline __device__ void addByte(uint *s_WarpHist, uint data, uint threadTag)
{
    atomicAdd(s_WarpHist + data, 1);
}

inline __device__ void addWord(uint *s_WarpHist, uint data, uint tag)
{
    addByte(s_WarpHist, (data >> 0) & 0xFFU, tag);
    addByte(s_WarpHist, (data >> 8) & 0xFFU, tag);
    addByte(s_WarpHist, (data >> 16) & 0xFFU, tag);
    addByte(s_WarpHist, (data >> 24) & 0xFFU, tag);
}

__global__ void histogram256Kernel(uint *d_PartialHistograms, uint *d_Data, uint dataCount)
{
    __shared__ uint s_Hist[WARP_COUNT * HISTOGRAM256_BIN_COUNT];
    uint *s_WarpHist = s_Hist + (threadIdx.x >> LOG2_WARP_SIZE) * HISTOGRAM256_BIN_COUNT;

#pragma unroll
    for (uint i = 0; i < HISTOGRAM256_BIN_COUNT / WARP_SIZE; i++) {
        s_Hist[threadIdx.x + i * THREADBLOCK_SIZE] = 0;
    }
    const uint tag = threadIdx.x << (UINT_BITS - LOG2_WARP_SIZE);
    __syncthreads();

    for (uint pos = blockIdx.x * blockDim.x + threadIdx.x; pos < dataCount;
         pos += blockDim.x * gridDim.x) {
        uint data = d_Data[pos];
        addWord(s_WarpHist, data, tag);
    }
    __syncthreads();

    for (uint bin = threadIdx.x; bin < HISTOGRAM256_BIN_COUNT; bin += THREADBLOCK_SIZE) {
        uint sum = 0;
        for (uint i = 0; i < WARP_COUNT; i++) {
            sum += s_Hist[bin + i * HISTOGRAM256_BIN_COUNT] & TAG_MASK;
        }
        d_PartialHistograms[blockIdx.x * HISTOGRAM256_BIN_COUNT + bin] = sum;
    }
}

__global__ void mergeHistogram256Kernel(uint *d_Histogram, uint *d_PartialHistograms,
                                        uint histogramCount)
{
    uint sum = 0;
    for (uint i = threadIdx.x; i < histogramCount; i += MERGE_THREADBLOCK_SIZE) {
        sum += d_PartialHistograms[blockIdx.x + i * HISTOGRAM256_BIN_COUNT];
    }
    __shared__ uint data[MERGE_THREADBLOCK_SIZE];
    data[threadIdx.x] = sum;
    for (uint stride = MERGE_THREADBLOCK_SIZE / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        if (threadIdx.x < stride) {
            data[threadIdx.x] += data[threadIdx.x + stride];
        }
    }
    if (threadIdx.x == 0) {
        d_Histogram[blockIdx.x] = data[0];
    }
}

int main(int argc, char **argv)
{
    const uint byteCount = 60 * 1000;
    uchar *h_Data = (uchar *)malloc(byteCount), *d_Data;
    uint h_HistogramCPU[HISTOGRAM256_BIN_COUNT] = {0}, h_HistogramGPU[HISTOGRAM256_BIN_COUNT];
    uint *d_Histogram, *d_Partial;

    findCudaDevice(argc, (const char **)argv);
    srand(2009);
    for (uint i = 0; i < byteCount; i++) {
        h_Data[i] = rand() % 256;
        h_HistogramCPU[h_Data[i]]++;
    }
    checkCudaErrors(cudaMalloc((void **)&d_Data, byteCount));
    checkCudaErrors(cudaMalloc((void **)&d_Histogram, sizeof(h_HistogramGPU)));
    checkCudaErrors(cudaMalloc((void **)&d_Partial, PARTIAL_COUNT * sizeof(h_HistogramGPU)));
    checkCudaErrors(cudaMemcpy(d_Data, h_Data, byteCount, cudaMemcpyHostToDevice));

    histogram256Kernel<<<PARTIAL_COUNT, THREADBLOCK_SIZE>>>(d_Partial, (uint *)d_Data,
                                                            byteCount / sizeof(uint));
    getLastCudaError("histogram256Kernel() execution failed\n");
    mergeHistogram256Kernel<<<HISTOGRAM256_BIN_COUNT, MERGE_THREADBLOCK_SIZE>>>(
        d_Histogram, d_Partial, PARTIAL_COUNT);
    getLastCudaError("mergeHistogram256Kernel() execution failed\n");
    checkCudaErrors(cudaDeviceSynchronize());

    checkCudaErrors(
        cudaMemcpy(h_HistogramGPU, d_Histogram, sizeof(h_HistogramGPU), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (uint i = 0; i < HISTOGRAM256_BIN_COUNT; i++)
        if (h_HistogramGPU[i] != h_HistogramCPU[i])
            wrong++;
    printf(wrong ? "FAIL\n" : "PASS\n");
    checkCudaErrors(cudaFree(d_Partial));
    checkCudaErrors(cudaFree(d_Histogram));
    checkCudaErrors(cudaFree(d_Data));
    free(h_Data);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
