/* Launches by a call instead of <<<..>>>. */
#ifndef HPC_DEVICE_LAUNCH_H
#define HPC_DEVICE_LAUNCH_H

#include <utility>

namespace hpc_dev
{
template <class... P, size_t... I>
static inline void call(void (*kernel)(P...), void **arguments, std::index_sequence<I...>)
{
    (void)arguments;
    kernel(*static_cast<typename std::remove_reference<P>::type *>(arguments[I])...);
}

/* Behind a call whose result the program drops: device/rewrite writes `, dropped{..}`. Of what is
 * no cudaError_t it is the language's own comma. */
struct dropped {
    const char *call, *file;
    int line;
};
static inline void operator,(cudaError_t error, const dropped &d)
{
#ifdef DEV_CHECK
    if (__builtin_expect(error != cudaSuccess, 0))
        dev_error_dropped(error, d.call, {d.file, d.line});
#else
    (void)error, (void)d;
#endif
}
} // namespace hpc_dev

template <class... P>
static inline cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                           void **arguments, size_t shared = 0,
                                           cudaStream_t stream = 0, HPC_HERE)
{
    hpc_dev::configure(grid, block, shared, stream, file, line);
    hpc_dev::call(kernel, arguments, std::index_sequence_for<P...>());
    return cudaPeekAtLastError();
}

template <class... P>
static inline cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                                      void **arguments, size_t shared = 0,
                                                      cudaStream_t stream = 0, HPC_HERE)
{
    dev_cooperate();
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream, file, line);
}

namespace hpc_dev
{
static inline void configure(const cudaLaunchConfig_t &config)
{
    for (unsigned i = 0; i < config.numAttrs; i++)
        if (config.attrs[i].id == cudaLaunchAttributeCooperative && config.attrs[i].val.cooperative)
            dev_cooperate();
    configure(config.gridDim, config.blockDim, config.dynamicSmemBytes, config.stream);
}
} // namespace hpc_dev

template <class... P, class... A>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                                             A &&...arguments)
{
    hpc_dev::configure(*config);
    kernel(std::forward<A>(arguments)...);
    return cudaPeekAtLastError();
}

template <class... P>
static inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                              void (*kernel)(P...), void **arguments)
{
    hpc_dev::configure(*config);
    hpc_dev::call(kernel, arguments, std::index_sequence_for<P...>());
    return cudaPeekAtLastError();
}

#endif
