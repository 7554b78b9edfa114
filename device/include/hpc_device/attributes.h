/* The device's properties and attributes: cudaDeviceProp, and CUDA's numbers of the attributes with
 * where each stands in it. */
#ifndef HPC_DEVICE_ATTRIBUTES_H
#define HPC_DEVICE_ATTRIBUTES_H

#include <stddef.h>

typedef struct CUuuid_st {
    char bytes[16];
} cudaUUID_t;

struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned luidDeviceNodeMask;
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
    int maxTexture3D[3], maxTexture1DMipmap, maxTexture2DMipmap[2], maxTexture2DLinear[3];
    int maxTexture2DGather[2], maxTexture3DAlt[3], maxTextureCubemap, maxTextureCubemapLayered[2];
    int maxTexture1DLinear, maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2];
    int maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
    int hostRegisterSupported, hostRegisterReadOnlySupported, sparseCudaArraySupported;
    int timelineSemaphoreInteropSupported, gpuDirectRDMASupported, clusterLaunch;
    int deferredMappingCudaArraySupported, ipcEventSupported, unifiedFunctionPointers;
    int canFlushRemoteWrites;
};

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
    X(cudaDevAttrMaxPitch, 11, memPitch)                                                           \
    X(cudaDevAttrMaxRegistersPerBlock, 12, regsPerBlock)                                           \
    X(cudaDevAttrClockRate, 13, clockRate)                                                         \
    X(cudaDevAttrTextureAlignment, 14, textureAlignment)                                           \
    X(cudaDevAttrGpuOverlap, 15, deviceOverlap)                                                    \
    X(cudaDevAttrMultiProcessorCount, 16, multiProcessorCount)                                     \
    X(cudaDevAttrKernelExecTimeout, 17, kernelExecTimeoutEnabled)                                  \
    X(cudaDevAttrIntegrated, 18, integrated)                                                       \
    X(cudaDevAttrCanMapHostMemory, 19, canMapHostMemory)                                           \
    X(cudaDevAttrComputeMode, 20, computeMode)                                                     \
    X(cudaDevAttrMaxTexture1DWidth, 21, maxTexture1D)                                              \
    X(cudaDevAttrMaxTexture2DWidth, 22, maxTexture2D[0])                                           \
    X(cudaDevAttrMaxTexture2DHeight, 23, maxTexture2D[1])                                          \
    X(cudaDevAttrMaxTexture3DWidth, 24, maxTexture3D[0])                                           \
    X(cudaDevAttrMaxTexture3DHeight, 25, maxTexture3D[1])                                          \
    X(cudaDevAttrMaxTexture3DDepth, 26, maxTexture3D[2])                                           \
    X(cudaDevAttrMaxTexture2DLayeredWidth, 27, maxTexture2DLayered[0])                             \
    X(cudaDevAttrMaxTexture2DLayeredHeight, 28, maxTexture2DLayered[1])                            \
    X(cudaDevAttrMaxTexture2DLayeredLayers, 29, maxTexture2DLayered[2])                            \
    X(cudaDevAttrSurfaceAlignment, 30, surfaceAlignment)                                           \
    X(cudaDevAttrConcurrentKernels, 31, concurrentKernels)                                         \
    X(cudaDevAttrEccEnabled, 32, ECCEnabled)                                                       \
    X(cudaDevAttrPciBusId, 33, pciBusID)                                                           \
    X(cudaDevAttrPciDeviceId, 34, pciDeviceID)                                                     \
    X(cudaDevAttrTccDriver, 35, tccDriver)                                                         \
    X(cudaDevAttrMemoryClockRate, 36, memoryClockRate)                                             \
    X(cudaDevAttrGlobalMemoryBusWidth, 37, memoryBusWidth)                                         \
    X(cudaDevAttrL2CacheSize, 38, l2CacheSize)                                                     \
    X(cudaDevAttrMaxThreadsPerMultiProcessor, 39, maxThreadsPerMultiProcessor)                     \
    X(cudaDevAttrAsyncEngineCount, 40, asyncEngineCount)                                           \
    X(cudaDevAttrUnifiedAddressing, 41, unifiedAddressing)                                         \
    X(cudaDevAttrMaxTexture1DLayeredWidth, 42, maxTexture1DLayered[0])                             \
    X(cudaDevAttrMaxTexture1DLayeredLayers, 43, maxTexture1DLayered[1])                            \
    X(cudaDevAttrPciDomainId, 50, pciDomainID)                                                     \
    X(cudaDevAttrTexturePitchAlignment, 51, texturePitchAlignment)                                 \
    X(cudaDevAttrMaxTexture1DLinearWidth, 69, maxTexture1DLinear)                                  \
    X(cudaDevAttrComputeCapabilityMajor, 75, major)                                                \
    X(cudaDevAttrComputeCapabilityMinor, 76, minor)                                                \
    X(cudaDevAttrStreamPrioritiesSupported, 78, streamPrioritiesSupported)                         \
    X(cudaDevAttrGlobalL1CacheSupported, 79, globalL1CacheSupported)                               \
    X(cudaDevAttrLocalL1CacheSupported, 80, localL1CacheSupported)                                 \
    X(cudaDevAttrMaxSharedMemoryPerMultiprocessor, 81, sharedMemPerMultiprocessor)                 \
    X(cudaDevAttrMaxRegistersPerMultiprocessor, 82, regsPerMultiprocessor)                         \
    X(cudaDevAttrManagedMemory, 83, managedMemory)                                                 \
    X(cudaDevAttrIsMultiGpuBoard, 84, isMultiGpuBoard)                                             \
    X(cudaDevAttrMultiGpuBoardGroupID, 85, multiGpuBoardGroupID)                                   \
    X(cudaDevAttrHostNativeAtomicSupported, 86, hostNativeAtomicSupported)                         \
    X(cudaDevAttrSingleToDoublePrecisionPerfRatio, 87, singleToDoublePrecisionPerfRatio)           \
    X(cudaDevAttrPageableMemoryAccess, 88, pageableMemoryAccess)                                   \
    X(cudaDevAttrConcurrentManagedAccess, 89, concurrentManagedAccess)                             \
    X(cudaDevAttrComputePreemptionSupported, 90, computePreemptionSupported)                       \
    X(cudaDevAttrCanUseHostPointerForRegisteredMem, 91, canUseHostPointerForRegisteredMem)         \
    X(cudaDevAttrCooperativeLaunch, 95, cooperativeLaunch)                                         \
    X(cudaDevAttrCooperativeMultiDeviceLaunch, 96, cooperativeMultiDeviceLaunch)                   \
    X(cudaDevAttrMaxSharedMemoryPerBlockOptin, 97, sharedMemPerBlockOptin)                         \
    X(cudaDevAttrCanFlushRemoteWrites, 98, canFlushRemoteWrites)                                   \
    X(cudaDevAttrHostRegisterSupported, 99, hostRegisterSupported)                                 \
    X(cudaDevAttrPageableMemoryAccessUsesHostPageTables, 100,                                      \
      pageableMemoryAccessUsesHostPageTables)                                                      \
    X(cudaDevAttrDirectManagedMemAccessFromHost, 101, directManagedMemAccessFromHost)              \
    X(cudaDevAttrMaxBlocksPerMultiprocessor, 106, maxBlocksPerMultiProcessor)                      \
    X(cudaDevAttrMaxPersistingL2CacheSize, 108, persistingL2CacheMaxSize)                          \
    X(cudaDevAttrMaxAccessPolicyWindowSize, 109, accessPolicyMaxWindowSize)                        \
    X(cudaDevAttrReservedSharedMemoryPerBlock, 111, reservedSharedMemPerBlock)                     \
    X(cudaDevAttrSparseCudaArraySupported, 112, sparseCudaArraySupported)                          \
    X(cudaDevAttrHostRegisterReadOnlySupported, 113, hostRegisterReadOnlySupported)                \
    X(cudaDevAttrMemoryPoolsSupported, 115, memoryPoolsSupported)                                  \
    X(cudaDevAttrGPUDirectRDMASupported, 116, gpuDirectRDMASupported)                              \
    X(cudaDevAttrClusterLaunch, 120, clusterLaunch)                                                \
    X(cudaDevAttrIpcEventSupport, 125, ipcEventSupported)

enum cudaDeviceAttr {
#define HPC_DEVICE_ATTRIBUTE(name, number, field) name = number,
    HPC_DEVICE_ATTRIBUTES(HPC_DEVICE_ATTRIBUTE)
#undef HPC_DEVICE_ATTRIBUTE
};

#endif
