/* The runtime calls that are templates, have default arguments, or are named in reports by the
 * place they are called from: HPC_HERE is that place, filled in by the compiler at the call. */
#ifndef HPC_DEVICE_API_H
#define HPC_DEVICE_API_H

#define HPC_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()
#define HPC_SITE                                                                                   \
    dev_site                                                                                       \
    {                                                                                              \
        file, line                                                                                 \
    }

template <class T> static inline cudaError_t cudaMalloc(T **p, size_t bytes, HPC_HERE)
{
    return dev_api_malloc((void **)p, bytes, DEV_GLOBAL, HPC_SITE);
}

template <class T>
static inline cudaError_t cudaMallocAsync(T **p, size_t bytes, cudaStream_t stream, HPC_HERE)
{
    return dev_api_malloc_async((void **)p, bytes, stream, HPC_SITE);
}

template <class T>
static inline cudaError_t cudaMallocManaged(T **p, size_t bytes, unsigned = cudaMemAttachGlobal,
                                            HPC_HERE)
{
    return dev_api_malloc((void **)p, bytes, DEV_MANAGED, HPC_SITE);
}

template <class T>
static inline cudaError_t cudaMallocHost(T **p, size_t bytes, unsigned = 0, HPC_HERE)
{
    return dev_api_malloc((void **)p, bytes, DEV_PINNED, HPC_SITE);
}

template <class T>
static inline cudaError_t cudaHostAlloc(T **p, size_t bytes, unsigned = 0, HPC_HERE)
{
    return dev_api_malloc((void **)p, bytes, DEV_PINNED, HPC_SITE);
}

template <class T>
static inline cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height,
                                          HPC_HERE)
{
    return dev_api_pitch((void **)p, pitch, width, height, HPC_SITE);
}

static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                     HPC_HERE)
{
    return dev_api_copy("cudaMemcpy", to, from, bytes, kind, 0, HPC_SITE);
}

static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                          cudaMemcpyKind kind, cudaStream_t stream = 0, HPC_HERE)
{
    return dev_api_copy("cudaMemcpyAsync", to, from, bytes, kind, stream, HPC_SITE);
}

static inline cudaError_t cudaMemcpyPeer(void *to, int, const void *from, int, size_t bytes,
                                         HPC_HERE)
{
    return dev_api_copy("cudaMemcpyPeer", to, from, bytes, cudaMemcpyDeviceToDevice, 0, HPC_SITE);
}

static inline cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from,
                                       size_t from_pitch, size_t width, size_t height,
                                       cudaMemcpyKind kind, HPC_HERE)
{
    return dev_api_copy2d("cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind, 0,
                          HPC_SITE);
}

static inline cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                            size_t from_pitch, size_t width, size_t height,
                                            cudaMemcpyKind kind, cudaStream_t stream = 0, HPC_HERE)
{
    return dev_api_copy2d("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height, kind,
                          stream, HPC_SITE);
}

static inline cudaError_t cudaMemset(void *to, int value, size_t bytes, HPC_HERE)
{
    return dev_api_fill("cudaMemset", to, bytes, value, bytes, 1, 0, HPC_SITE);
}

static inline cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes,
                                          cudaStream_t stream = 0, HPC_HERE)
{
    return dev_api_fill("cudaMemsetAsync", to, bytes, value, bytes, 1, stream, HPC_SITE);
}

static inline cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width,
                                       size_t height, HPC_HERE)
{
    return dev_api_fill("cudaMemset2D", to, pitch, value, width, height, 0, HPC_SITE);
}

static inline cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width,
                                            size_t height, cudaStream_t stream = 0, HPC_HERE)
{
    return dev_api_fill("cudaMemset2DAsync", to, pitch, value, width, height, stream, HPC_SITE);
}

/* Symbols: the variable itself. */
namespace hpc_dev
{
template <class T>
static inline void look_at_offset(const char *call, const T &symbol, size_t offset, dev_site site)
{
    typedef typename std::remove_all_extents<T>::type element;
    if (std::is_arithmetic<element>::value && offset % sizeof(element) != 0)
        dev_api_symbol_element(call, (const void *)&symbol, sizeof(element), offset, site);
}

template <class T>
static inline cudaError_t copy_to(const char *call, const T &symbol, const void *from, size_t bytes,
                                  size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                                  dev_site site)
{
    void *to;
    look_at_offset(call, symbol, offset, site);
    cudaError_t e = dev_api_symbol(call, (const void *)&symbol, bytes, offset, &to, site);
    return e ? e : dev_api_copy(call, (char *)to + offset, from, bytes, kind, stream, site);
}

template <class T>
static inline cudaError_t copy_from(const char *call, void *to, const T &symbol, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                                    dev_site site)
{
    void *from;
    look_at_offset(call, symbol, offset, site);
    cudaError_t e = dev_api_symbol(call, (const void *)&symbol, bytes, offset, &from, site);
    return e ? e : dev_api_copy(call, to, (char *)from + offset, bytes, kind, stream, site);
}
} // namespace hpc_dev

template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes,
                                                  size_t offset, cudaMemcpyKind kind,
                                                  cudaStream_t stream = 0, HPC_HERE)
{
    return hpc_dev::copy_to("cudaMemcpyToSymbolAsync", symbol, from, bytes, offset, kind, stream,
                            HPC_SITE);
}

template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice, HPC_HERE)
{
    return hpc_dev::copy_to("cudaMemcpyToSymbol", symbol, from, bytes, offset, kind, 0, HPC_SITE);
}

template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes,
                                                    size_t offset, cudaMemcpyKind kind,
                                                    cudaStream_t stream = 0, HPC_HERE)
{
    return hpc_dev::copy_from("cudaMemcpyFromSymbolAsync", to, symbol, bytes, offset, kind, stream,
                              HPC_SITE);
}

template <class T>
static inline cudaError_t
cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                     cudaMemcpyKind kind = cudaMemcpyDeviceToHost, HPC_HERE)
{
    return hpc_dev::copy_from("cudaMemcpyFromSymbol", to, symbol, bytes, offset, kind, 0, HPC_SITE);
}

template <class P, class T>
static inline cudaError_t cudaGetSymbolAddress(P **address, const T &symbol, HPC_HERE)
{
    return dev_api_symbol("cudaGetSymbolAddress", (const void *)&symbol, 0, 0, (void **)address,
                          HPC_SITE);
}

template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    return dev_api_symbol_size(bytes, (const void *)&symbol);
}

/* Kernels, by their functions. */
template <class F>
static inline cudaError_t cudaFuncSetAttribute(F *function, cudaFuncAttribute attribute, int value)
{
    return dev_api_set_attribute((const void *)function, attribute, value);
}

template <class F>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, F *function)
{
    return dev_api_attributes(attributes, (const void *)function);
}

template <class F> static inline cudaError_t cudaFuncSetCacheConfig(F *, cudaFuncCache)
{
    return cudaSuccess;
}

template <class F> static inline cudaError_t cudaFuncSetSharedMemConfig(F *, cudaSharedMemConfig)
{
    return cudaSuccess;
}

template <class F>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F *function,
                                                                        int block, size_t shared)
{
    return dev_api_occupancy(blocks, (const void *)function, block, shared);
}

template <class F>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, F *function, int block,
                                                       size_t shared, unsigned)
{
    return dev_api_occupancy(blocks, (const void *)function, block, shared);
}

/* The block size with most threads at once, the largest of equals; `shared` tells the bytes for
 * one. */
template <class S, class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block,
                                                                         F *function, S shared,
                                                                         int limit = 0)
{
    int most = 0, multiprocessors = 1;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    for (int size = limit > 0 && limit < 1024 ? limit / 32 * 32 : 1024; size > 0; size -= 32) {
        int blocks = 0;
        cudaError_t e =
            dev_api_occupancy(&blocks, (const void *)function, size, (size_t)shared(size));
        if (e)
            return e;
        if (blocks * size > most) {
            most = blocks * size;
            *block = size;
            *grid = blocks * multiprocessors;
        }
    }
    return most > 0 ? cudaSuccess : cudaErrorInvalidValue;
}

template <class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F *function,
                                                             size_t shared = 0, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        grid, block, function, [=](int) { return shared; }, limit);
}

static inline cudaError_t cudaEventRecord(cudaEvent_t event)
{
    return cudaEventRecord(event, 0);
}

static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags)
{
    return cudaEventCreateWithFlags(event, flags);
}

static inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event)
{
    return cudaStreamWaitEvent(stream, event, 0);
}

template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags)
{
    return cudaHostGetDevicePointer((void **)device, host, flags);
}

static inline cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0)
{
    return cudaSuccess;
}

static inline cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int)
{
    return cudaSuccess;
}

#endif
