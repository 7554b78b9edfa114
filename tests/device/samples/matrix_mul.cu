/* C = A * B by tiles: a kernel whose tile is a template parameter, pinned host memory, a stream of
 * its own, events around the launches. Options: -wA=, -hA=, -wB=, --block=16|32. */
#include <stdio.h>
#include <assert.h>
#include <math.h>

#include <cuda_runtime.h>
#include <cuda_profiler_api.h>

#include "helper_cuda.h"

template <int BLOCK_SIZE>
__global__ void MatrixMulCUDA(float *C, float *A, float *B, int wA, int wB)
{
    int bx = blockIdx.x, by = blockIdx.y;
    int tx = threadIdx.x, ty = threadIdx.y;

    int aBegin = wA * BLOCK_SIZE * by;
    int aEnd = aBegin + wA - 1;
    int aStep = BLOCK_SIZE;
    int bBegin = BLOCK_SIZE * bx;
    int bStep = BLOCK_SIZE * wB;

    float Csub = 0;
    for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
        __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
        __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];

        As[ty][tx] = A[a + wA * ty + tx];
        Bs[ty][tx] = B[b + wB * ty + tx];
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BLOCK_SIZE; ++k) {
            Csub += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }

    int c = wB * BLOCK_SIZE * by + BLOCK_SIZE * bx;
    C[c + wB * ty + tx] = Csub;
}

extern "C" void constant_init(float *data, int size, float val)
{
    for (int i = 0; i < size; ++i) {
        data[i] = val;
    }
}

extern "C" int matrix_multiply(int argc, char **argv, int block_size, const dim3 &dimsA,
                               const dim3 &dimsB)
{
    unsigned int size_A = dimsA.x * dimsA.y, size_B = dimsB.x * dimsB.y;
    unsigned int mem_size_A = sizeof(float) * size_A, mem_size_B = sizeof(float) * size_B;
    float *h_A, *h_B, *h_C, *d_A, *d_B, *d_C;
    cudaStream_t stream;
    const float valB = 0.01f;

    checkCudaErrors(cudaMallocHost(&h_A, mem_size_A));
    checkCudaErrors(cudaMallocHost(&h_B, mem_size_B));
    constant_init(h_A, size_A, 1.0f);
    constant_init(h_B, size_B, valB);

    dim3 dimsC(dimsB.x, dimsA.y, 1);
    unsigned int mem_size_C = dimsC.x * dimsC.y * sizeof(float);
    checkCudaErrors(cudaMallocHost(&h_C, mem_size_C));
    if (h_C == NULL) {
        fprintf(stderr, "no host memory for C\n");
        exit(EXIT_FAILURE);
    }

    checkCudaErrors(cudaMalloc(reinterpret_cast<void **>(&d_A), mem_size_A));
    checkCudaErrors(cudaMalloc(reinterpret_cast<void **>(&d_B), mem_size_B));
    checkCudaErrors(cudaMalloc(reinterpret_cast<void **>(&d_C), mem_size_C));
    cudaEvent_t start, stop;
    checkCudaErrors(cudaEventCreate(&start));
    checkCudaErrors(cudaEventCreate(&stop));
    checkCudaErrors(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    checkCudaErrors(cudaMemcpyAsync(d_A, h_A, mem_size_A, cudaMemcpyHostToDevice, stream));
    checkCudaErrors(cudaMemcpyAsync(d_B, h_B, mem_size_B, cudaMemcpyHostToDevice, stream));

    dim3 threads(block_size, block_size);
    dim3 grid(dimsB.x / threads.x, dimsA.y / threads.y);
    int nIter = 3;
    checkCudaErrors(cudaProfilerStart());
    checkCudaErrors(cudaEventRecord(start, stream));
    for (int j = 0; j < nIter; j++) {
        if (block_size == 16) {
            MatrixMulCUDA<16><<<grid, threads, 0, stream>>>(d_C, d_A, d_B, dimsA.x, dimsB.x);
        } else {
            MatrixMulCUDA<32><<<grid, threads, 0, stream>>>(d_C, d_A, d_B, dimsA.x, dimsB.x);
        }
    }
    checkCudaErrors(cudaEventRecord(stop, stream));
    checkCudaErrors(cudaEventSynchronize(stop));
    checkCudaErrors(cudaProfilerStop());

    float msecTotal = 0.0f;
    checkCudaErrors(cudaEventElapsedTime(&msecTotal, start, stop));
    double flops = 2.0 * (double)dimsA.x * (double)dimsA.y * (double)dimsB.x;
    printf("%.0f operations, %.3f msec, %u threads a block\n", flops, msecTotal / nIter,
           threads.x * threads.y);

    checkCudaErrors(cudaMemcpyAsync(h_C, d_C, mem_size_C, cudaMemcpyDeviceToHost, stream));
    checkCudaErrors(cudaStreamSynchronize(stream));
    bool correct = msecTotal >= 0;
    for (int i = 0; i < static_cast<int>(dimsC.x * dimsC.y); i++) {
        double abs_err = fabs(h_C[i] - (dimsA.x * valB));
        double rel_err = abs_err / fabs(h_C[i]) / dimsA.x;
        if (!(rel_err <= 1.e-6)) {
            printf("C[%d] = %.8f, expected %.8f\n", i, h_C[i], dimsA.x * valB);
            correct = false;
        }
    }
    printf("%s\n", correct ? "PASS" : "FAIL");

    checkCudaErrors(cudaFreeHost(h_A));
    checkCudaErrors(cudaFreeHost(h_B));
    checkCudaErrors(cudaFreeHost(h_C));
    checkCudaErrors(cudaFree(d_A));
    checkCudaErrors(cudaFree(d_B));
    checkCudaErrors(cudaFree(d_C));
    checkCudaErrors(cudaEventDestroy(start));
    checkCudaErrors(cudaEventDestroy(stop));
    checkCudaErrors(cudaStreamDestroy(stream));
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    const char **words = (const char **)argv;
    int block_size =
        checkCmdLineFlag(argc, words, "block") ? getCmdLineArgumentInt(argc, words, "block") : 32;
    assert(block_size == 16 || block_size == 32);
    findCudaDevice(argc, words);

    dim3 dimsA(3 * block_size, 2 * block_size, 1), dimsB(4 * block_size, 3 * block_size, 1);
    if (checkCmdLineFlag(argc, words, "wA")) {
        dimsA.x = getCmdLineArgumentInt(argc, words, "wA");
        dimsB.y = dimsA.x;
    }
    if (checkCmdLineFlag(argc, words, "hA")) {
        dimsA.y = getCmdLineArgumentInt(argc, words, "hA");
    }
    if (checkCmdLineFlag(argc, words, "wB")) {
        dimsB.x = getCmdLineArgumentInt(argc, words, "wB");
    }
    printf("MatrixA(%u,%u), MatrixB(%u,%u)\n", dimsA.x, dimsA.y, dimsB.x, dimsB.y);
    exit(matrix_multiply(argc, argv, block_size, dimsA, dimsB));
}
