/* Memory in a stream's order, of the device's pool and of one that the program makes; and what kind
 * of memory a pointer is of. */
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

#include "helper_cuda.h"

#define N 5000

__global__ void add_kernel(const float *a, const float *b, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        c[i] = a[i] + b[i];
}

static cudaMemoryType type_of(const void *p)
{
    cudaPointerAttributes attributes;
    checkCudaErrors(cudaPointerGetAttributes(&attributes, p));
    return attributes.type;
}

int main()
{
    cudaMemPool_t pool, own;
    cudaMemPoolProps wanted = {};
    cudaMemAccessDesc access = {};
    cudaMemAccessFlags flags;
    uint64_t keep = UINT64_MAX, kept = 0;
    int wrong = 0;
    checkCudaErrors(cudaDeviceGetDefaultMemPool(&pool, 0));
    checkCudaErrors(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    checkCudaErrors(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
    wanted.allocType = cudaMemAllocationTypePinned;
    wanted.handleTypes = cudaMemHandleTypeNone;
    wanted.location.type = access.location.type = cudaMemLocationTypeDevice;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    checkCudaErrors(cudaMemPoolCreate(&own, &wanted));
    checkCudaErrors(cudaMemPoolSetAccess(own, &access, 1));
    checkCudaErrors(cudaMemPoolGetAccess(&flags, own, &access.location));
    wrong += kept != keep || flags != cudaMemAccessFlagsProtReadWrite;

    float *x, *a, *b, *c;
    cudaStream_t stream;
    checkCudaErrors(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    checkCudaErrors(cudaMallocHost(&x, N * sizeof(float)));
    checkCudaErrors(cudaMallocAsync(&a, N * sizeof(float), stream));
    checkCudaErrors(cudaMallocAsync(&b, N * sizeof(float), stream));
    checkCudaErrors(cudaMallocFromPoolAsync(&c, N * sizeof(float), own, stream));
    for (int i = 0; i < N; i++)
        x[i] = i * 0.5f;
    checkCudaErrors(cudaMemcpyAsync(a, x, N * sizeof(float), cudaMemcpyHostToDevice, stream));
    checkCudaErrors(cudaMemcpyAsync(b, x, N * sizeof(float), cudaMemcpyHostToDevice, stream));
    add_kernel<<<(N + 127) / 128, 128, 0, stream>>>(a, b, c);
    checkCudaErrors(cudaFreeAsync(a, stream));
    checkCudaErrors(cudaFreeAsync(b, stream));
    checkCudaErrors(cudaMemcpyAsync(x, c, N * sizeof(float), cudaMemcpyDeviceToHost, stream));
    wrong += type_of(c) != cudaMemoryTypeDevice || type_of(x) != cudaMemoryTypeHost;
    wrong += type_of(&keep) != cudaMemoryTypeUnregistered;
    checkCudaErrors(cudaFreeAsync(c, stream));
    checkCudaErrors(cudaStreamSynchronize(stream));
    for (int i = 0; i < N; i++)
        wrong += x[i] != i;
    checkCudaErrors(cudaMemPoolTrimTo(own, 0));
    checkCudaErrors(cudaMemPoolDestroy(own));
    checkCudaErrors(cudaStreamDestroy(stream));
    checkCudaErrors(cudaMallocManaged(&c, sizeof(float)));
    wrong += type_of(c) != cudaMemoryTypeManaged;
    checkCudaErrors(cudaFree(c));
    checkCudaErrors(cudaFreeHost(x));
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
