/* Launches by calls: with a configuration, of arguments and of pointers to them; and a block's room
 * for dynamic shared memory. */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#include "helper_cuda.h"

#define N 1000

template <typename T> __global__ void scale(T *x, T factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= factor;
}

__global__ void reverse_block(double *x)
{
    extern __shared__ double block[];
    int t = threadIdx.x;
    block[t] = x[t];
    __syncthreads();
    x[t] = block[blockDim.x - 1 - t];
}

int main()
{
    double *x, two = 2, half = 0.5;
    int n = N, wrong = 0;
    size_t room = 0;
    const char *name = "";
    cudaStream_t stream;
    checkCudaErrors(cudaStreamCreate(&stream));
    checkCudaErrors(cudaMallocManaged(&x, N * sizeof(double)));
    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributePriority;
    config.gridDim = dim3((N + 127) / 128);
    config.blockDim = dim3(128);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    void *by_two[] = {&x, &two, &n}, *by_half[] = {&x, &half, &n}, *only_x[] = {&x};
    checkCudaErrors(cudaLaunchKernelEx(&config, scale<double>, x, 3.0, n));
    config.numAttrs = 0;
    checkCudaErrors(cudaLaunchKernelExC(&config, (const void *)scale<double>, by_two));
    checkCudaErrors(cudaLaunchKernel((const void *)&scale<double>, config.gridDim, config.blockDim,
                                     by_half, 0, stream));
    config.gridDim = dim3(1);
    config.blockDim = dim3(N);
    config.dynamicSmemBytes = N * sizeof(double);
    checkCudaErrors(
        cudaLaunchKernelExC(&config, reinterpret_cast<const void *>(reverse_block), only_x));
    checkCudaErrors(cudaStreamSynchronize(stream));
    for (int i = 0; i < N; i++)
        wrong += x[i] != 3.0 * (N - 1 - i);
    checkCudaErrors(cudaOccupancyAvailableDynamicSMemPerBlock(&room, reverse_block, 1, 128));
    wrong += room < N * sizeof(double);
#if CUDART_VERSION >= 12030
    checkCudaErrors(cudaFuncGetName(&name, (const void *)reverse_block));
    wrong += !strstr(name, "reverse_block");
#endif
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    checkCudaErrors(cudaFree(x));
    checkCudaErrors(cudaStreamDestroy(stream));
    return wrong != 0;
}
