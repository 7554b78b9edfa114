/* Memory pools and what streams are told about caches: pools, which give all back at once, and
 * attributes that are kept and change nothing. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "device/include/cuda_runtime_api.h"
#include "device/runtime/runtime.h"

struct CUmemPool_st {
    uint64_t attributes[cudaMemPoolAttrUsedMemHigh + 1];
    struct CUmemPool_st *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUmemPool_st pool; /* the device's own; those that were made follow */
static cudaMemPool_t chosen = &pool;

static bool exists(cudaMemPool_t of)
{
    const struct CUmemPool_st *p = &pool;
    pthread_mutex_lock(&lock);
    while (p && p != of)
        p = p->next;
    pthread_mutex_unlock(&lock);
    return p != NULL;
}

static cudaError_t give_pool(cudaMemPool_t *out, int device, cudaMemPool_t given)
{
    if (!out)
        return dev_error(cudaErrorInvalidValue);
    *out = given;
    return dev_error(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *out, int device)
{
    return give_pool(out, device, &pool);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *out, int device)
{
    return give_pool(out, device, chosen);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t of)
{
    if (device != 0 || !exists(of))
        return dev_error(cudaErrorInvalidValue);
    chosen = of;
    return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *out, const struct cudaMemPoolProps *wanted)
{
    if (!out || !wanted || wanted->allocType != cudaMemAllocationTypePinned)
        return dev_error(cudaErrorInvalidValue);
    struct CUmemPool_st *made = calloc(1, sizeof *made);
    if (!made)
        return dev_error(cudaErrorMemoryAllocation);
    pthread_mutex_lock(&lock);
    made->next = pool.next;
    pool.next = made;
    pthread_mutex_unlock(&lock);
    *out = made;
    return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t of)
{
    struct CUmemPool_st **at = &pool.next;
    pthread_mutex_lock(&lock);
    while (*at && *at != of)
        at = &(*at)->next;
    const bool found = *at != NULL;
    if (found)
        *at = of->next;
    if (chosen == of)
        chosen = &pool;
    pthread_mutex_unlock(&lock);
    if (!found)
        return dev_error(cudaErrorInvalidValue);
    free(of);
    return cudaSuccess;
}

/* The device may use its pools, and there is no other. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t of, const struct cudaMemAccessDesc *access,
                                 size_t count)
{
    bool valid = exists(of) && (access || count == 0);
    for (size_t i = 0; valid && i < count; i++)
        valid = access[i].location.type == cudaMemLocationTypeDevice &&
                access[i].location.id == 0 && access[i].flags == cudaMemAccessFlagsProtReadWrite;
    return dev_error(valid ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t of,
                                 struct cudaMemLocation *location)
{
    if (!flags || !location || !exists(of) || location->type != cudaMemLocationTypeDevice ||
        location->id != 0)
        return dev_error(cudaErrorInvalidValue);
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
}

static bool known(cudaMemPool_t of, enum cudaMemPoolAttr attribute, const void *value)
{
    return exists(of) && value && (unsigned)attribute <= cudaMemPoolAttrUsedMemHigh;
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
    memcpy(&of->attributes[attribute], value, size_of(attribute));
    return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t of, enum cudaMemPoolAttr attribute, void *value)
{
    if (!known(of, attribute, value))
        return dev_error(cudaErrorInvalidValue);
    memcpy(value, &of->attributes[attribute], size_of(attribute));
    return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t of, size_t keep)
{
    (void)keep;
    return dev_error(exists(of) ? cudaSuccess : cudaErrorInvalidValue);
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
