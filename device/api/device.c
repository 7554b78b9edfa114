/* The device itself: one, which is chosen, set up and left. */
#include <string.h>

#include "device/include/cuda_runtime_api.h"
#include "device/runtime/runtime.h"
#include "device/runtime/memory.h"
#include "device/runtime/mode.h"
#include "device/runtime/phase.h"

#define PCI_ID "0000:00:00.0"

static unsigned device_flags;
static size_t limits[8] = {[cudaLimitStackSize] = 1024,
                           [cudaLimitPrintfFifoSize] = (size_t)1 << 20,
                           [cudaLimitMallocHeapSize] = (size_t)8 << 20};

static cudaError_t valid_device(int device)
{
    return dev_error(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

/* A result through a pointer. */
static cudaError_t answer(int *out, int value)
{
    if (!out)
        return dev_error(cudaErrorInvalidValue);
    *out = value;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    return answer(count, 1);
}

cudaError_t cudaGetDevice(int *device)
{
    return answer(device, 0);
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
    return answer((int *)flags, (int)device_flags);
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
    return count > 0 && devices ? valid_device(devices[0]) : dev_error(cudaErrorInvalidValue);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    (void)prop;
    return answer(device, 0);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    return id && strcmp(id, PCI_ID) == 0 ? answer(device, 0) : dev_error(cudaErrorInvalidDevice);
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
    dev_phase_waits("cudaDeviceSynchronize", __builtin_return_address(0));
    MODE_CHECK(check_device_waited());
    return dev_error(dev_error_of_device());
}

cudaError_t cudaThreadSynchronize(void)
{
    dev_phase_waits("cudaThreadSynchronize", __builtin_return_address(0));
    MODE_CHECK(check_device_waited());
    return dev_error(dev_error_of_device());
}

cudaError_t cudaDeviceReset(void)
{
    MODE_CHECK(check_device_waited());
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
    if (limit == cudaLimitStackSize)
        dev_stack_asked(value);
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
    return answer((int *)config, cudaFuncCachePreferNone);
}

/* Their names before CUDA 4. */
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit)
{
    return cudaDeviceGetLimit(value, limit);
}

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
    return cudaDeviceSetCacheConfig(config);
}

cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config)
{
    return cudaDeviceGetCacheConfig(config);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    (void)config;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    return answer((int *)config, cudaSharedMemBankSizeFourByte);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *lowest, int *greatest)
{
    if (lowest)
        *lowest = 0;
    if (greatest)
        *greatest = -5;
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    (void)device;
    (void)peer;
    return answer(can, 0);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int device,
                                      int peer)
{
    (void)attribute;
    (void)device;
    (void)peer; /* another one, or no valid number */
    return dev_error(value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
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
    return answer(version, CUDART_VERSION);
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    return answer(version, CUDART_VERSION);
}

cudaError_t cudaProfilerStart(void)
{
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void)
{
    return cudaSuccess;
}
