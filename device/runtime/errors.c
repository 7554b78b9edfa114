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

#ifdef DEV_CHECK
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct dev_launch failed; /* the first one since somebody asked; kernel NULL: none */
static cudaError_t failed_by;

static void note_failed(const struct dev_launch *launch, cudaError_t error)
{
    pthread_mutex_lock(&lock);
    if (!failed.kernel) {
        failed = *launch;
        failed_by = error;
    }
    pthread_mutex_unlock(&lock);
}

static void note_asked(void)
{
    pthread_mutex_lock(&lock);
    failed.kernel = NULL;
    pthread_mutex_unlock(&lock);
}

void dev_errors_unseen(void)
{
    if (failed.kernel)
        check_launch_error(&failed, cudaGetErrorString(failed_by));
    failed.kernel = NULL;
}
#endif

void dev_error_of_launch(const struct dev_launch *launch, cudaError_t error)
{
    (void)launch;
    MODE_CHECK(note_failed(launch, error));
    dev_error(error);
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
    MODE_CHECK(note_asked());
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    MODE_CHECK(note_asked());
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
