/* The types of CUDA's runtime interface, as far as the CPU device has it. */
#ifndef HPC_DEVICE_DRIVER_TYPES_H
#define HPC_DEVICE_DRIVER_TYPES_H
#define __DRIVER_TYPES_H__ /* what helper headers ask for */

#include <stddef.h>

#include "hpc_device/errors.h"
#include "vector_types.h"

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;

#define cudaStreamDefault              0x00
#define cudaStreamNonBlocking          0x01
#define cudaStreamLegacy               ((cudaStream_t)0x1)
#define cudaStreamPerThread            ((cudaStream_t)0x2)
#define cudaEventDefault               0x00
#define cudaEventBlockingSync          0x01
#define cudaEventDisableTiming         0x02
#define cudaEventInterprocess          0x04
#define cudaHostAllocDefault           0x00
#define cudaHostAllocPortable          0x01
#define cudaHostAllocMapped            0x02
#define cudaHostAllocWriteCombined     0x04
#define cudaHostRegisterDefault        0x00
#define cudaHostRegisterPortable       0x01
#define cudaHostRegisterMapped         0x02
#define cudaMemAttachGlobal            0x01
#define cudaMemAttachHost              0x02
#define cudaDeviceScheduleAuto         0x00
#define cudaDeviceScheduleSpin         0x01
#define cudaDeviceScheduleYield        0x02
#define cudaDeviceScheduleBlockingSync 0x04
#define cudaDeviceMapHost              0x08
#define cudaCpuDeviceId                ((int)-1)
#define cudaInvalidDeviceId            ((int)-2)
#define cudaOccupancyDefault           0x00

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4,
};

enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3,
};

struct cudaPointerAttributes {
    enum cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
};

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
};

enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxL1 = 0,
    cudaSharedmemCarveoutMaxShared = 100,
};

struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual,
};

enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault,
    cudaSharedMemBankSizeFourByte,
    cudaSharedMemBankSizeEightByte,
};

enum cudaLimit {
    cudaLimitStackSize,
    cudaLimitPrintfFifoSize,
    cudaLimitMallocHeapSize,
    cudaLimitDevRuntimeSyncDepth,
    cudaLimitDevRuntimePendingLaunchCount,
    cudaLimitMaxL2FetchGranularity,
    cudaLimitPersistingL2CacheSize,
};

enum cudaComputeMode {
    cudaComputeModeDefault,
    cudaComputeModeExclusive,
    cudaComputeModeProhibited,
    cudaComputeModeExclusiveProcess,
};

enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly,
    cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy,
    cudaMemAdviseUnsetAccessedBy,
};

enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal,
    cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed,
};

enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone,
    cudaStreamCaptureStatusActive,
    cudaStreamCaptureStatusInvalidated,
};

struct cudaLaunchAttribute {
    int id;
    long long pad[8];
};

struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    struct cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};

struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, memPitch, totalConstMem, textureAlignment;
    size_t texturePitchAlignment, surfaceAlignment;
    int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    int major, minor, multiProcessorCount, integrated, canMapHostMemory, concurrentKernels;
    int clockRate, memoryClockRate, memoryBusWidth, l2CacheSize, deviceOverlap, computeMode;
    int ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount;
    int unifiedAddressing, maxThreadsPerMultiProcessor, kernelExecTimeoutEnabled;
    int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor, sharedMemPerBlockOptin, reservedSharedMemPerBlock;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID;
    int hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess;
    int concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem;
    int cooperativeLaunch, cooperativeMultiDeviceLaunch, directManagedMemAccessFromHost;
    int pageableMemoryAccessUsesHostPageTables, maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize, persistingL2CacheMaxSize, memoryPoolsSupported;
    int maxTexture1D, maxTexture1DLayered[2], maxTexture2D[2], maxTexture2DLayered[3];
    int maxTexture3D[3];
};

/* CUDA's numbers of attributes, and where each stands in cudaDeviceProp. */
#define HPC_DEVICE_ATTRIBUTES(X)                                                                   \
    X(cudaDevAttrMaxThreadsPerBlock, 1, maxThreadsPerBlock)                                        \
    X(cudaDevAttrMaxBlockDimX, 2, maxThreadsDim[0])                                                \
    X(cudaDevAttrMaxBlockDimY, 3, maxThreadsDim[1])                                                \
    X(cudaDevAttrMaxBlockDimZ, 4, maxThreadsDim[2])                                                \
    X(cudaDevAttrMaxGridDimX, 5, maxGridSize[0])                                                   \
    X(cudaDevAttrMaxGridDimY, 6, maxGridSize[1])                                                   \
    X(cudaDevAttrMaxGridDimZ, 7, maxGridSize[2])                                                   \
    X(cudaDevAttrMaxSharedMemoryPerBlock, 8, sharedMemPerBlock)                                    \
    X(cudaDevAttrTotalConstantMemory, 9, totalConstMem)                                            \
    X(cudaDevAttrWarpSize, 10, warpSize)                                                           \
    X(cudaDevAttrMaxRegistersPerBlock, 12, regsPerBlock)                                           \
    X(cudaDevAttrClockRate, 13, clockRate)                                                         \
    X(cudaDevAttrMultiProcessorCount, 16, multiProcessorCount)                                     \
    X(cudaDevAttrKernelExecTimeout, 17, kernelExecTimeoutEnabled)                                  \
    X(cudaDevAttrIntegrated, 18, integrated)                                                       \
    X(cudaDevAttrCanMapHostMemory, 19, canMapHostMemory)                                           \
    X(cudaDevAttrComputeMode, 20, computeMode)                                                     \
    X(cudaDevAttrConcurrentKernels, 31, concurrentKernels)                                         \
    X(cudaDevAttrEccEnabled, 32, ECCEnabled)                                                       \
    X(cudaDevAttrMemoryClockRate, 36, memoryClockRate)                                             \
    X(cudaDevAttrGlobalMemoryBusWidth, 37, memoryBusWidth)                                         \
    X(cudaDevAttrL2CacheSize, 38, l2CacheSize)                                                     \
    X(cudaDevAttrMaxThreadsPerMultiProcessor, 39, maxThreadsPerMultiProcessor)                     \
    X(cudaDevAttrAsyncEngineCount, 40, asyncEngineCount)                                           \
    X(cudaDevAttrUnifiedAddressing, 41, unifiedAddressing)                                         \
    X(cudaDevAttrComputeCapabilityMajor, 75, major)                                                \
    X(cudaDevAttrComputeCapabilityMinor, 76, minor)                                                \
    X(cudaDevAttrStreamPrioritiesSupported, 78, streamPrioritiesSupported)                         \
    X(cudaDevAttrMaxSharedMemoryPerMultiprocessor, 81, sharedMemPerMultiprocessor)                 \
    X(cudaDevAttrMaxRegistersPerMultiprocessor, 82, regsPerMultiprocessor)                         \
    X(cudaDevAttrManagedMemory, 83, managedMemory)                                                 \
    X(cudaDevAttrPageableMemoryAccess, 88, pageableMemoryAccess)                                   \
    X(cudaDevAttrConcurrentManagedAccess, 89, concurrentManagedAccess)                             \
    X(cudaDevAttrCooperativeLaunch, 95, cooperativeLaunch)                                         \
    X(cudaDevAttrMaxSharedMemoryPerBlockOptin, 97, sharedMemPerBlockOptin)                         \
    X(cudaDevAttrMaxBlocksPerMultiprocessor, 106, maxBlocksPerMultiProcessor)                      \
    X(cudaDevAttrMemoryPoolsSupported, 115, memoryPoolsSupported)

enum cudaDeviceAttr {
#define HPC_DEVICE_ATTRIBUTE(name, number, field) name = number,
    HPC_DEVICE_ATTRIBUTES(HPC_DEVICE_ATTRIBUTE)
#undef HPC_DEVICE_ATTRIBUTE
};

#endif
