/* What goes wrong and how the runtime says so: each call's own error, the one that is remembered,
 * and what a launch that never started leaves behind. */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

static int wrong = 0;

static void expect(const char *what, cudaError_t got, cudaError_t want)
{
    if (got != want) {
        printf("%s: %s, expected %s\n", what, cudaGetErrorName(got), cudaGetErrorName(want));
        wrong++;
    }
}

/* CUDA 13 has another error for a launch of the wrong shape than those before it. */
static void expect_refused(const char *what, cudaError_t got)
{
    if (got != cudaErrorInvalidValue)
        expect(what, got, cudaErrorInvalidConfiguration);
}

__global__ void set(int *x)
{
    x[threadIdx.x] = threadIdx.x;
}

int main()
{
    int x[32] = {0}, *d_x = NULL, device = -1;
    void *huge = NULL;
    cudaDeviceProp prop;

    expect("nothing yet", cudaGetLastError(), cudaSuccess);
    expect("cudaMalloc", cudaMalloc(&d_x, sizeof(x)), cudaSuccess);
    expect("more memory than there is", cudaMalloc(&huge, (size_t)1 << 50),
           cudaErrorMemoryAllocation);
    expect("remembered", cudaPeekAtLastError(), cudaErrorMemoryAllocation);
    expect("remembered, and forgotten", cudaGetLastError(), cudaErrorMemoryAllocation);
    expect("forgotten", cudaGetLastError(), cudaSuccess);

    set<<<1, 2048>>>(d_x);
    expect_refused("2048 threads", cudaPeekAtLastError());
    expect_refused("2048 threads", cudaGetLastError());
    set<<<0, 32>>>(d_x);
    expect_refused("no blocks", cudaGetLastError());
    set<<<1, dim3(8, 8, 65)>>>(d_x);
    expect_refused("65 threads deep", cudaGetLastError());
    set<<<1, 32, 1 << 20>>>(d_x);
    expect("a megabyte of shared memory", cudaGetLastError(), cudaErrorInvalidValue);
    expect("a device that is not there", cudaSetDevice(1000), cudaErrorInvalidDevice);
    expect("nor its properties", cudaGetDeviceProperties(&prop, 1000), cudaErrorInvalidDevice);
    expect("forgotten too", cudaGetLastError(), cudaErrorInvalidDevice);
    expect("a copy in no direction", cudaMemcpy(d_x, x, 4, (cudaMemcpyKind)17),
           cudaErrorInvalidMemcpyDirection);
    cudaGetLastError();
    expect("freeing nothing", cudaFree(NULL), cudaSuccess);

    set<<<1, 32>>>(d_x);
    expect("a good launch", cudaGetLastError(), cudaSuccess);
    expect("and its end", cudaDeviceSynchronize(), cudaSuccess);
    expect("and its result", cudaMemcpy(x, d_x, sizeof(x), cudaMemcpyDefault), cudaSuccess);
    for (int i = 0; i < 32; i++)
        wrong += x[i] != i;
    expect("cudaGetDevice", cudaGetDevice(&device), cudaSuccess);
    expect("cudaFree", cudaFree(d_x), cudaSuccess);
    wrong += device != 0;
    wrong += strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") != 0;
    wrong += strcmp(cudaGetErrorString(cudaSuccess), "no error") != 0;
    wrong += strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") != 0;
    wrong += strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") != 0;
    expect("cudaDeviceReset", cudaDeviceReset(), cudaSuccess);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
