/* cudaGetLastError and its kin: each OS thread has its last error; one that a kernel's end leaves
 * behind stays with the device until cudaDeviceReset. */
#include <stdatomic.h>

#include "device/include/cuda_runtime_api.h"
#include "device/runtime/internal.h"

static __thread cudaError_t last;
static _Atomic int of_device;

cudaError_t dev_error(cudaError_t error)
{
    if (error != cudaSuccess)
        last = error;
    return error;
}

void dev_error_sticky(cudaError_t error)
{
    atomic_store(&of_device, error);
}

cudaError_t dev_error_of_device(void)
{
    return (cudaError_t)atomic_load(&of_device);
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = dev_error_of_device() ? dev_error_of_device() : last;
    last = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return dev_error_of_device() ? dev_error_of_device() : last;
}

const char *cudaGetErrorName(cudaError_t error)
{
    switch (error) {
#define NAME(name, number, text)                                                                   \
    case name:                                                                                     \
        return #name;
        HPC_CUDA_ERRORS(NAME)
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
#define TEXT(name, number, text)                                                                   \
    case name:                                                                                     \
        return text;
        HPC_CUDA_ERRORS(TEXT)
    }
    return "unrecognized error code";
}
