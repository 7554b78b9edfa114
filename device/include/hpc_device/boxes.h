/* Boxes of memory, places of memory, and pools: what of CUDA's newer and rarer calls is a plain
 * call, or nothing, on the CPU device. */
#ifndef HPC_DEVICE_BOXES_H
#define HPC_DEVICE_BOXES_H

static inline cudaError_t cudaMalloc3D(struct cudaPitchedPtr *box, struct cudaExtent extent,
                                       HPC_HERE)
{
    return dev_api_box(box, extent, HPC_SITE);
}

static inline cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy, HPC_HERE)
{
    return dev_api_copy3d("cudaMemcpy3D", copy, 0, HPC_SITE);
}

static inline cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy,
                                            cudaStream_t stream = 0, HPC_HERE)
{
    return dev_api_copy3d("cudaMemcpy3DAsync", copy, stream, HPC_SITE);
}

static inline cudaError_t cudaMemset3D(struct cudaPitchedPtr box, int value,
                                       struct cudaExtent extent, HPC_HERE)
{
    return dev_api_fill3d("cudaMemset3D", box, value, extent, 0, HPC_SITE);
}

static inline cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr box, int value,
                                            struct cudaExtent extent, cudaStream_t stream = 0,
                                            HPC_HERE)
{
    return dev_api_fill3d("cudaMemset3DAsync", box, value, extent, stream, HPC_SITE);
}

static inline cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t bytes,
                                              cudaStream_t stream = 0, HPC_HERE)
{
    return dev_api_copy("cudaMemcpyPeerAsync", to, from, bytes, cudaMemcpyDeviceToDevice, stream,
                        HPC_SITE);
}

template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T **p, size_t bytes, cudaMemPool_t,
                                                  cudaStream_t stream, HPC_HERE)
{
    return dev_api_malloc_async((void **)p, bytes, stream, HPC_SITE);
}

template <class T>
static inline cudaError_t cudaMallocAsync(T **p, size_t bytes, cudaMemPool_t, cudaStream_t stream,
                                          HPC_HERE)
{
    return dev_api_malloc_async((void **)p, bytes, stream, HPC_SITE);
}

static inline cudaError_t cudaMemPrefetchAsync(const void *, size_t, struct cudaMemLocation,
                                               unsigned, cudaStream_t = 0)
{
    return cudaSuccess;
}

static inline cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise,
                                        struct cudaMemLocation)
{
    return cudaSuccess;
}

/* Managed memory belongs to all streams. */
template <class T>
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *, size_t = 0,
                                                   unsigned = cudaMemAttachSingle)
{
    return cudaStreamQuery(stream);
}

template <class F> static inline cudaError_t cudaFuncGetName(const char **name, F *function)
{
    return dev_api_name(name, (const void *)function);
}

template <class F>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, F *function,
                                                                    int blocks, int block)
{
    return dev_api_room(bytes, (const void *)function, blocks, block);
}

template <class S, class F>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid, int *block, F *function,
                                                        S shared, int limit = 0, unsigned = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, function, shared, limit);
}

template <class F>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, F *function, size_t shared = 0,
                                            int limit = 0, unsigned = 0)
{
    return cudaOccupancyMaxPotentialBlockSize(grid, block, function, shared, limit);
}

#endif
