/* Allocation, freeing and questions about pointers. */
#include <stdlib.h>

#include "device/include/cuda_runtime_api.h"
#include "device/runtime/runtime.h"
#include "device/runtime/memory.h"
#include "device/runtime/mode.h"
#include "device/runtime/phase.h"
#include "device/runtime/symbols.h"

static cudaError_t allocate(void **p, size_t bytes, enum dev_kind kind, struct dev_site site)
{
    if (!p)
        return dev_error(cudaErrorInvalidValue);
    *p = NULL;
    if (dev_error_of_device())
        return dev_error(dev_error_of_device());
    if (bytes == 0)
        return kind == DEV_GLOBAL ? cudaSuccess : dev_error(cudaErrorInvalidValue);
    dev_faults_watched();
    *p = dev_memory_allocate(bytes, kind, site);
    return *p ? cudaSuccess : dev_error(cudaErrorMemoryAllocation);
}

cudaError_t dev_api_malloc(void **p, size_t bytes, enum dev_kind kind, struct dev_site site)
{
    dev_phase_allocates(kind == DEV_GLOBAL ? "cudaMalloc" : "an allocation", site);
    return allocate(p, bytes, kind, site);
}

cudaError_t dev_api_malloc_async(void **p, size_t bytes, cudaStream_t stream, struct dev_site site)
{
    if (!dev_stream_valid(stream))
        return dev_error(cudaErrorInvalidResourceHandle);
    cudaError_t error = allocate(p, bytes, DEV_GLOBAL, site);
    if (!error && *p)
        MODE_CHECK(check_stream_copy(&(struct dev_copy){.call = "cudaMallocAsync",
                                                        .site = site,
                                                        .stream = dev_stream_number(stream),
                                                        .rows = {{*p, bytes, bytes, 1, true}}}));
    return error;
}

cudaError_t dev_api_pitch(void **p, size_t *pitch, size_t width, size_t height,
                          struct dev_site site)
{
    if (!pitch || width > SIZE_MAX / 2)
        return dev_error(cudaErrorInvalidValue);
    *pitch = (width + 511) / 512 * 512;
    if (*pitch && height > SIZE_MAX / 4 / *pitch)
        return dev_error(cudaErrorMemoryAllocation);
    return dev_api_malloc(p, *pitch * height, DEV_GLOBAL, site);
}

/* Whether p is of the other call's that allocates and frees: pinned, or not. */
static bool is_others(const void *p, bool pinned)
{
    struct allocation a;
    return dev_memory_find(p, &a) && a.pinned != pinned;
}

/* Freeing waits for the whole device. */
cudaError_t cudaFree(void *p)
{
    if (!p)
        return cudaSuccess;
    MODE_CHECK(check_device_waited());
    dev_phase_waits("cudaFree", __builtin_return_address(0));
    if (!is_others(p, false) && dev_memory_free(p))
        return dev_error(dev_error_of_device());
    MODE_CHECK(check_bad_free("cudaFree", p, "what cudaMalloc gave, freed once",
                              __builtin_return_address(0)));
    return dev_error(cudaErrorInvalidValue);
}

cudaError_t cudaFreeAsync(void *p, cudaStream_t stream)
{
    struct allocation a;
    if (!dev_stream_valid(stream))
        return dev_error(cudaErrorInvalidResourceHandle);
    if (!dev_memory_find(p, &a) || p != dev_memory_base(&a)) {
        MODE_CHECK(check_bad_free("cudaFreeAsync", p, "what cudaMallocAsync gave, freed once",
                                  __builtin_return_address(0)));
        return dev_error(cudaErrorInvalidValue);
    }
    MODE_CHECK(
        check_stream_free(p, a.bytes, dev_stream_number(stream), __builtin_return_address(0)));
    dev_memory_free(p);
    return dev_error(dev_error_of_device());
}

cudaError_t cudaFreeHost(void *p)
{
    MODE_CHECK(p ? check_device_waited() : (void)0);
    if (!p || (!is_others(p, true) && dev_memory_free(p)))
        return cudaSuccess;
    MODE_CHECK(check_bad_free("cudaFreeHost", p, "what cudaMallocHost gave, freed once",
                              __builtin_return_address(0)));
    return dev_error(cudaErrorInvalidValue);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    if (!free_bytes || !total)
        return dev_error(cudaErrorInvalidValue);
    dev_memory_info(free_bytes, total);
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *p)
{
    struct allocation a;
    if (!attributes)
        return dev_error(cudaErrorInvalidValue);
    *attributes = (struct cudaPointerAttributes){.type = cudaMemoryTypeUnregistered,
                                                 .device = cudaInvalidDeviceId,
                                                 .hostPointer = (void *)p};
    bool symbol = dev_symbol_of(p) != NULL;
    if (!symbol && !dev_memory_find(p, &a))
        return cudaSuccess;
    bool both = !symbol && a.kind == DEV_MANAGED;
    attributes->type = !both      ? cudaMemoryTypeDevice
                       : a.pinned ? cudaMemoryTypeHost
                                  : cudaMemoryTypeManaged;
    attributes->device = 0;
    attributes->devicePointer = (void *)p;
    attributes->hostPointer = both ? (void *)p : NULL;
    return cudaSuccess;
}

unsigned dev_space(const void *p)
{
    const struct dev_worker *w = dev_self;
    const struct dev_symbol *symbol = dev_symbol_of(p);
    struct allocation a;
    if (symbol)
        return symbol->kind == DEV_CONSTANT ? DEV_CONSTANT : DEV_GLOBAL;
    if (w && (uintptr_t)p - (uintptr_t)w->shared < w->shared_bytes)
        return DEV_SHARED;
    return dev_memory_find(p, &a) || dev_is_registered(p) ? DEV_GLOBAL : 0;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    struct allocation a;
    if (!device || flags || !(dev_memory_find(host, &a) || dev_is_registered(host)))
        return dev_error(cudaErrorInvalidValue);
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
    struct allocation a;
    if (!flags || !(dev_memory_find(host, &a) || dev_is_registered(host)))
        return dev_error(cudaErrorInvalidValue);
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
}
