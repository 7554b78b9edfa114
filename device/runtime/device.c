/* The device itself: one, with the limits of a GPU and the cores of this machine. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/include/cuda_runtime_api.h"
#include "device/runtime/internal.h"
#include "device/runtime/memory.h"

#define PCI_ID "0000:00:00.0"

static unsigned device_flags;
static size_t limits[8] = {[cudaLimitStackSize] = 1024,
                           [cudaLimitPrintfFifoSize] = (size_t)1 << 20,
                           [cudaLimitMallocHeapSize] = (size_t)8 << 20};

static int processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

static cudaError_t valid_device(int device)
{
    return dev_error(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

/* A result through a pointer. */
static cudaError_t give(int *out, int value)
{
    if (!out)
        return dev_error(cudaErrorInvalidValue);
    *out = value;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    return give(count, 1);
}

cudaError_t cudaGetDevice(int *device)
{
    return give(device, 0);
}

cudaError_t cudaSetDevice(int device)
{
    return valid_device(device);
}

cudaError_t cudaInitDevice(int device, unsigned flags_of_device, unsigned flags)
{
    (void)flags_of_device;
    (void)flags;
    return valid_device(device);
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    device_flags = flags;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    return give((int *)flags, (int)device_flags);
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
    return count > 0 && devices ? valid_device(devices[0]) : dev_error(cudaErrorInvalidValue);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    (void)prop;
    return give(device, 0);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    if (!prop)
        return dev_error(cudaErrorInvalidValue);
    if (valid_device(device) != cudaSuccess)
        return cudaErrorInvalidDevice;
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
        .multiProcessorCount = processors(),
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
        .memoryPoolsSupported = 0,
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
        return give(value, (int)p.field);
        HPC_DEVICE_ATTRIBUTES(ATTRIBUTE)
    }
    return dev_error(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    return id && strcmp(id, PCI_ID) == 0 ? give(device, 0) : dev_error(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
    if (valid_device(device) != cudaSuccess)
        return cudaErrorInvalidDevice;
    if (!id || length <= (int)strlen(PCI_ID))
        return dev_error(cudaErrorInvalidValue);
    strcpy(id, PCI_ID);
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    return dev_error(dev_error_of_device());
}

cudaError_t cudaThreadSynchronize(void)
{
    return cudaDeviceSynchronize();
}

cudaError_t cudaDeviceReset(void)
{
    dev_memory_free_all();
    dev_error_sticky(cudaSuccess);
    return cudaSuccess;
}

cudaError_t cudaThreadExit(void)
{
    return cudaDeviceReset();
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    if ((unsigned)limit >= sizeof limits / sizeof *limits)
        return dev_error(cudaErrorInvalidValue);
    limits[limit] = value;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    if (!value || (unsigned)limit >= sizeof limits / sizeof *limits)
        return dev_error(cudaErrorInvalidValue);
    *value = limits[limit];
    return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    (void)config;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    return give((int *)config, cudaFuncCachePreferNone);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    (void)config;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    return give((int *)config, cudaSharedMemBankSizeFourByte);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    (void)device;
    (void)peer;
    return give(can, 0);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    (void)peer;
    (void)flags;
    return dev_error(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    (void)peer;
    return dev_error(cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDriverGetVersion(int *version)
{
    return give(version, CUDART_VERSION);
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    return give(version, CUDART_VERSION);
}

cudaError_t cudaProfilerStart(void)
{
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void)
{
    return cudaSuccess;
}
