/* Names that programs ask the runtime for: attributes, flags, pools, places of memory, windows of
 * the cache, errors. */
#include <driver_functions.h>
#include <math_constants.h>
#include <stdio.h>
#include <string.h>

__global__ void double_kernel(float *x)
{
    x[threadIdx.x] = x[threadIdx.x] * 2 + CUDART_ZERO_F;
}

int main()
{
    int overlap = -1, cooperative = -1;
    cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync);
    cudaDeviceGetAttribute(&overlap, cudaDevAttrGpuOverlap, 0);
    cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0);
    bool right = overlap >= 0 && cooperative == 1;
    right = right && strcmp(cudaGetErrorName(cudaErrorMissingConfiguration),
                            "cudaErrorMissingConfiguration") == 0;

    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemPool_t pool;
    unsigned long long keep = 1 << 20, kept = 0;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);
    right = right && kept == keep;
    float *x, host[32];
    for (int i = 0; i < 32; i++)
        host[i] = (float)i;
    cudaMallocAsync(&x, sizeof host, stream);

    cudaStreamAttrValue attribute;
    memset(&attribute, 0, sizeof attribute);
    attribute.accessPolicyWindow.base_ptr = x;
    attribute.accessPolicyWindow.num_bytes = sizeof host;
    attribute.accessPolicyWindow.hitRatio = 1;
    attribute.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    attribute.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &attribute);
    cudaMemcpyAsync(x, host, sizeof host, cudaMemcpyHostToDevice, stream);
    double_kernel<<<1, 32, 0, stream>>>(x);
    cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(x, stream);
    cudaStreamSynchronize(stream);
    for (int i = 0; i < 32; i++)
        right = right && host[i] == (float)(2 * i);

    float *managed;
    cudaMallocManaged(&managed, sizeof host);
    cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachSingle);
    cudaStreamSynchronize(stream);
    for (int i = 0; i < 32; i++)
        managed[i] = 1;
    double_kernel<<<1, 32, 0, stream>>>(managed);
    cudaStreamSynchronize(stream);
    right = right && managed[31] == 2;
    cudaFree(managed);
    cudaStreamDestroy(stream);
    puts(right ? "PASS" : "FAIL");
    return !right;
}
