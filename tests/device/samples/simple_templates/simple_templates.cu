/* A template kernel, its shared memory, and a template class that compares results. */
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#include "helper_cuda.h"
#include "sharedmem.cuh"

static int g_TotalFailures = 0;

template <class T> class ArrayComparator
{
  public:
    bool compare(const T *reference, T *data, unsigned int len)
    {
        for (unsigned int i = 0; i < len; i++)
            if (reference[i] != data[i])
                return false;
        return true;
    }
};

template <class T> __global__ void testKernel(T *g_idata, T *g_odata)
{
    SharedMemory<T> smem;
    T *sdata = smem.getPointer();
    const unsigned int tid = threadIdx.x;
    const unsigned int num_threads = blockDim.x;

    sdata[tid] = g_idata[tid];
    __syncthreads();
    sdata[tid] = (T)num_threads * sdata[tid];
    __syncthreads();
    g_odata[tid] = sdata[num_threads - 1 - tid];
}

template <class T> void runTest(int len)
{
    unsigned int num_threads = len;
    unsigned int mem_size = sizeof(T) * num_threads;
    T *h_idata = (T *)malloc(mem_size), *h_odata = (T *)malloc(mem_size);
    T *reference = (T *)malloc(mem_size), *d_idata, *d_odata;

    for (unsigned int i = 0; i < num_threads; ++i) {
        h_idata[i] = (T)(i % 8);
        reference[num_threads - 1 - i] = (T)((T)num_threads * h_idata[i]);
    }
    checkCudaErrors(cudaMalloc((void **)&d_idata, mem_size));
    checkCudaErrors(cudaMalloc((void **)&d_odata, mem_size));
    checkCudaErrors(cudaMemcpy(d_idata, h_idata, mem_size, cudaMemcpyHostToDevice));

    dim3 grid(1, 1, 1);
    dim3 threads(num_threads, 1, 1);
    testKernel<T><<<grid, threads, mem_size>>>(d_idata, d_odata);
    getLastCudaError("Kernel execution failed");

    checkCudaErrors(cudaMemcpy(h_odata, d_odata, sizeof(T) * num_threads, cudaMemcpyDeviceToHost));
    ArrayComparator<T> comparator;
    bool res = comparator.compare(reference, h_odata, num_threads);
    printf("Compare %s\n", res ? "OK" : "MISMATCH");
    g_TotalFailures += (1 != res);

    free(h_idata);
    free(h_odata);
    free(reference);
    checkCudaErrors(cudaFree(d_idata));
    checkCudaErrors(cudaFree(d_odata));
}

int main(int argc, char **argv)
{
    findCudaDevice(argc, (const char **)argv);
    runTest<float>(32);
    runTest<int>(64);
    runTest<double>(77);
    runTest<unsigned char>(31);
    printf(g_TotalFailures ? "FAIL\n" : "PASS\n");
    return g_TotalFailures ? EXIT_FAILURE : EXIT_SUCCESS;
}
