/* CUDA's runtime interface on the CPU device. A call that is not declared here is not supported:
 * the compiler names it. All work is done when a call or a launch returns, so streams are in order
 * and events are past. */
#ifndef HPC_DEVICE_CUDA_RUNTIME_API_H
#define HPC_DEVICE_CUDA_RUNTIME_API_H
#define __CUDA_RUNTIME_API_H__ /* what helper headers ask for */

#include "../runtime/generated.h"
#include "driver_types.h"
#include "driver_functions.h"

#define CUDART_VERSION       12000
#define CUDA_VERSION         12000
#define __CUDART_API_VERSION CUDART_VERSION
#define CUDARTAPI
#define CUDART_CB

#ifdef __cplusplus
extern "C" {
#endif

/* Errors. */
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

/* The device. */
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaGetDeviceFlags(unsigned *flags);
cudaError_t cudaSetValidDevices(int *devices, int count);
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop);
cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id);
cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int device,
                                      int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

/* Memory; the functions whose calls are named in reports are in hpc_device/memory.h. */
cudaError_t cudaFree(void *p);
cudaError_t cudaFreeHost(void *p);
cudaError_t cudaFreeAsync(void *p, cudaStream_t stream);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *p);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags);
cudaError_t cudaHostGetFlags(unsigned *flags, void *host);
cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *p);

/* Streams and events. */
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned flags);
typedef void (*cudaHostFn_t)(void *data);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);

/* Memory pools, and what streams are told about caches. */
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *wanted);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *access,
                                 size_t count);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, enum cudaLaunchAttributeID id,
                                   const union cudaLaunchAttributeValue *value);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, enum cudaLaunchAttributeID id,
                                   union cudaLaunchAttributeValue *value);
cudaError_t cudaCtxResetPersistingL2Cache(void);

/* What the templates of hpc_device/api.h stand on. */
cudaError_t dev_api_malloc(void **p, size_t bytes, enum dev_kind kind, struct dev_site site);
cudaError_t dev_api_malloc_async(void **p, size_t bytes, cudaStream_t stream, struct dev_site site);
cudaError_t dev_api_pitch(void **p, size_t *pitch, size_t width, size_t height,
                          struct dev_site site);
cudaError_t dev_api_copy(const char *call, void *to, const void *from, size_t bytes,
                         enum cudaMemcpyKind kind, cudaStream_t stream, struct dev_site site);
cudaError_t dev_api_copy2d(const char *call, void *to, size_t to_pitch, const void *from,
                           size_t from_pitch, size_t width, size_t height, enum cudaMemcpyKind kind,
                           cudaStream_t stream, struct dev_site site);
cudaError_t dev_api_fill(const char *call, void *to, size_t pitch, int value, size_t width,
                         size_t height, cudaStream_t stream, struct dev_site site);
cudaError_t dev_api_box(struct cudaPitchedPtr *box, struct cudaExtent extent, struct dev_site site);
cudaError_t dev_api_copy3d(const char *call, const struct cudaMemcpy3DParms *copy,
                           cudaStream_t stream, struct dev_site site);
cudaError_t dev_api_fill3d(const char *call, struct cudaPitchedPtr box, int value,
                           struct cudaExtent extent, cudaStream_t stream, struct dev_site site);
cudaError_t dev_api_symbol(const char *call, const void *symbol, size_t bytes, size_t offset,
                           void **address, struct dev_site site);
/* A copy to or from a symbol that begins within one of its elements, of so many bytes each. */
void dev_api_symbol_element(const char *call, const void *symbol, size_t element, size_t offset,
                            struct dev_site site);
cudaError_t dev_api_symbol_size(size_t *bytes, const void *symbol);
cudaError_t dev_api_function(const struct dev_kernel **kernel, const void *function);
cudaError_t dev_api_set_attribute(const void *function, enum cudaFuncAttribute attribute,
                                  int value);
cudaError_t dev_api_attributes(struct cudaFuncAttributes *attributes, const void *function);
cudaError_t dev_api_name(const char **name, const void *function);
cudaError_t dev_api_room(size_t *bytes, const void *function, int blocks, int block);
cudaError_t dev_api_occupancy(int *blocks, const void *function, int block, size_t shared);

#ifdef __cplusplus
}
#include "hpc_device/api.h"
#include "hpc_device/boxes.h"
#endif

#endif
