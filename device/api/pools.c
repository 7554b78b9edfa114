/* Memory pools and what streams are told about caches: one pool, which gives all back at once, and
 * attributes that are kept and change nothing. */
#include <string.h>

#include "device/include/cuda_runtime_api.h"
#include "device/runtime/runtime.h"

struct CUmemPool_st {
    uint64_t attributes[cudaMemPoolAttrUsedMemHigh + 1];
};

static struct CUmemPool_st pool;

static cudaError_t give_pool(cudaMemPool_t *out, int device)
{
    if (!out)
        return dev_error(cudaErrorInvalidValue);
    *out = &pool;
    return dev_error(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *out, int device)
{
    return give_pool(out, device);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *out, int device)
{
    return give_pool(out, device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t chosen)
{
    return dev_error(device == 0 && chosen == &pool ? cudaSuccess : cudaErrorInvalidValue);
}

static bool known(cudaMemPool_t of, enum cudaMemPoolAttr attribute, const void *value)
{
    return of == &pool && value && (unsigned)attribute <= cudaMemPoolAttrUsedMemHigh;
}

/* The first three are ints, the rest 64 bits. */
static size_t size_of(enum cudaMemPoolAttr attribute)
{
    return attribute < cudaMemPoolAttrReleaseThreshold ? sizeof(int) : sizeof(uint64_t);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t of, enum cudaMemPoolAttr attribute, void *value)
{
    if (!known(of, attribute, value))
        return dev_error(cudaErrorInvalidValue);
    memcpy(&pool.attributes[attribute], value, size_of(attribute));
    return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t of, enum cudaMemPoolAttr attribute, void *value)
{
    if (!known(of, attribute, value))
        return dev_error(cudaErrorInvalidValue);
    memcpy(value, &pool.attributes[attribute], size_of(attribute));
    return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t of, size_t keep)
{
    (void)keep;
    return dev_error(of == &pool ? cudaSuccess : cudaErrorInvalidValue);
}

static cudaError_t of_stream(cudaStream_t stream, const void *value)
{
    if (!value)
        return dev_error(cudaErrorInvalidValue);
    return dev_error(dev_stream_valid(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, enum cudaLaunchAttributeID id,
                                   const union cudaLaunchAttributeValue *value)
{
    (void)id;
    return of_stream(stream, value);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, enum cudaLaunchAttributeID id,
                                   union cudaLaunchAttributeValue *value)
{
    (void)id;
    cudaError_t error = of_stream(stream, value);
    if (!error)
        memset(value, 0, sizeof *value);
    return error;
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return cudaSuccess;
}
