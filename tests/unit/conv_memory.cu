/* The device's memory for test_conv2d_variants.c, which is C: built as a variant is. */
#include <cuda_runtime.h>

extern "C" void *conv_memory_put(const void *host, size_t bytes)
{
    char *p = NULL;
    return cudaMalloc(&p, bytes) == cudaSuccess &&
                   cudaMemcpy(p, host, bytes, cudaMemcpyHostToDevice) == cudaSuccess
               ? p
               : NULL;
}

/* Waits for the device; false where it reports an error. */
extern "C" int conv_memory_get(void *host, const void *device, size_t bytes)
{
    return cudaDeviceSynchronize() == cudaSuccess &&
           cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
}

extern "C" void conv_memory_free(void *device)
{
    cudaFree(device);
}
