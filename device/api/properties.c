/* What the device says of itself: the limits of a GPU and the cores of this machine. */
#include "device/include/cuda_runtime_api.h"
#include "device/runtime/runtime.h"
#include "device/runtime/memory.h"

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    if (!prop)
        return dev_error(cudaErrorInvalidValue);
    if (device != 0)
        return dev_error(cudaErrorInvalidDevice);
    size_t free_bytes, total;
    dev_memory_info(&free_bytes, &total);
    *prop = (struct cudaDeviceProp){
        .name = "hpclab CPU device",
        .totalGlobalMem = total,
        .sharedMemPerBlock = DEV_MOST_SHARED,
        .sharedMemPerBlockOptin = DEV_MOST_DYNAMIC,
        .sharedMemPerMultiprocessor = DEV_MOST_DYNAMIC + 1024,
        .reservedSharedMemPerBlock = 1024,
        .regsPerBlock = 65536,
        .regsPerMultiprocessor = 65536,
        .warpSize = DEV_WARP,
        .memPitch = 2147483647,
        .maxThreadsPerBlock = DEV_MOST_THREADS,
        .maxThreadsDim = {1024, 1024, 64},
        .maxGridSize = {2147483647, 65535, 65535},
        .maxThreadsPerMultiProcessor = 2048,
        .maxBlocksPerMultiProcessor = 32,
        .totalConstMem = 65536,
        .major = 7,
        .minor = 0,
        .multiProcessorCount = dev_processors(),
        .clockRate = 1000000,
        .memoryClockRate = 1000000,
        .memoryBusWidth = 64,
        .l2CacheSize = 1 << 20,
        .textureAlignment = 512,
        .texturePitchAlignment = 32,
        .integrated = 1,
        .canMapHostMemory = 1,
        .concurrentKernels = 1,
        .deviceOverlap = 1,
        .asyncEngineCount = 1,
        .unifiedAddressing = 1,
        .managedMemory = 1,
        .concurrentManagedAccess = 1,
        .streamPrioritiesSupported = 1,
        .globalL1CacheSupported = 1,
        .localL1CacheSupported = 1,
        .singleToDoublePrecisionPerfRatio = 2,
        .hostNativeAtomicSupported = 1,
        .canUseHostPointerForRegisteredMem = 1,
        .memoryPoolsSupported = 1,
        .cooperativeLaunch = 1,
        .hostRegisterSupported = 1,
        .surfaceAlignment = 512,
        .accessPolicyMaxWindowSize = 1 << 20,
        .persistingL2CacheMaxSize = 1 << 19,
    };
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    struct cudaDeviceProp p;
    cudaError_t error = cudaGetDeviceProperties(&p, device);
    if (error || !value)
        return error ? error : dev_error(cudaErrorInvalidValue);
    switch (attribute) {
#define ATTRIBUTE(name, number, field)                                                             \
    case name:                                                                                     \
        *value = (int)p.field;                                                                     \
        return cudaSuccess;
        HPC_DEVICE_ATTRIBUTES(ATTRIBUTE)
    }
    return dev_error(cudaErrorInvalidValue);
}
