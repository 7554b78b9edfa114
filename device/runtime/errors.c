/* cudaGetLastError and its kin: each OS thread has its last error; one that a kernel's end leaves
 * behind stays with the device until cudaDeviceReset. */
#include <stdatomic.h>

#include "device/include/cuda_runtime_api.h"
#include "device/runtime/runtime.h"
#include "device/runtime/mode.h"

static __thread cudaError_t last_error;
static _Atomic int of_device;

cudaError_t dev_error(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

void dev_error_of_launch(const struct dev_launch *launch, cudaError_t error)
{
    (void)launch;
    MODE_CHECK(check_launch_failed(launch, cudaGetErrorString(error)));
    dev_error(error);
}

void dev_error_dropped(int error, const char *call, struct dev_site site)
{
    (void)call, (void)site;
    if (error != cudaErrorNotReady) /* of a query, which makes a stream go on, too */
        MODE_CHECK(check_call_failed(call, cudaGetErrorString((cudaError_t)error),
                                     error == (int)dev_error_of_device(), site));
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
    cudaError_t error = dev_error_of_device() ? dev_error_of_device() : last_error;
    MODE_CHECK(check_errors_asked());
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    MODE_CHECK(check_errors_asked());
    return dev_error_of_device() ? dev_error_of_device() : last_error;
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
