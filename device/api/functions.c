/* Kernels as functions: attributes and occupancy. */
#include "device/include/cuda_runtime_api.h"
#include "device/runtime/runtime.h"

cudaError_t dev_api_function(const struct dev_kernel **kernel, const void *function)
{
    *kernel = function ? dev_kernel_of(function) : NULL;
    return *kernel ? cudaSuccess : dev_error(cudaErrorInvalidDeviceFunction);
}

cudaError_t dev_api_set_attribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    struct dev_kernel *kernel = function ? dev_kernel_of(function) : NULL;
    if (!kernel)
        return dev_error(cudaErrorInvalidDeviceFunction);
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
        return value >= -1 && value <= 100 ? cudaSuccess : dev_error(cudaErrorInvalidValue);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
        value > DEV_MOST_DYNAMIC)
        return dev_error(cudaErrorInvalidValue);
    kernel->most_dynamic = (size_t)value;
    return cudaSuccess;
}

cudaError_t dev_api_attributes(struct cudaFuncAttributes *attributes, const void *function)
{
    const struct dev_kernel *kernel;
    cudaError_t error = dev_api_function(&kernel, function);
    if (error || !attributes)
        return error ? error : dev_error(cudaErrorInvalidValue);
    *attributes = (struct cudaFuncAttributes){
        .sharedSizeBytes = kernel->static_shared,
        .maxThreadsPerBlock = (int)(kernel->most_threads ? kernel->most_threads : DEV_MOST_THREADS),
        .numRegs = 32,
        .ptxVersion = 70,
        .binaryVersion = 70,
        .maxDynamicSharedSizeBytes =
            (int)(kernel->most_dynamic ? kernel->most_dynamic : DEV_MOST_SHARED),
    };
    return cudaSuccess;
}

cudaError_t dev_api_name(const char **name, const void *function)
{
    const struct dev_kernel *kernel;
    cudaError_t error = dev_api_function(&kernel, function);
    if (error || !name)
        return error ? error : dev_error(cudaErrorInvalidValue);
    *name = kernel->name;
    return cudaSuccess;
}

/* How much dynamic shared memory a block may have, so that so many blocks find room. */
cudaError_t dev_api_room(size_t *bytes, const void *function, int blocks, int block)
{
    const struct dev_kernel *kernel;
    cudaError_t error = dev_api_function(&kernel, function);
    if (error || !bytes || blocks < 1 || block < 1)
        return error ? error : dev_error(cudaErrorInvalidValue);
    const size_t most = kernel->most_dynamic ? kernel->most_dynamic : DEV_MOST_SHARED;
    size_t room = most > kernel->static_shared ? most - kernel->static_shared : 0;
    while (room > 0 && dev_occupancy(kernel, (size_t)block, room) < (size_t)blocks)
        room -= room < 256 ? room : 256;
    *bytes = room;
    return cudaSuccess;
}

cudaError_t dev_api_occupancy(int *blocks, const void *function, int block, size_t shared)
{
    const struct dev_kernel *kernel;
    cudaError_t error = dev_api_function(&kernel, function);
    if (error || !blocks || block < 1)
        return error ? error : dev_error(cudaErrorInvalidValue);
    *blocks = (int)dev_occupancy(kernel, (size_t)block, shared);
    return cudaSuccess;
}
