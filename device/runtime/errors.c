/* cudaGetLastError and its kin: each OS thread has its last error; one that a kernel's end leaves
 * behind stays with the device until cudaDeviceReset. */
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>

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

/* What is wrong with one of a launch's numbers; NULL: nothing. */
static const char *bad_number(const struct dev_launch *l)
{
    const struct dev_index *g = &l->grid, *b = &l->block;
    if (!g->x || !g->y || !g->z)
        return "a grid has at least one block in each direction: is a quotient rounded down to 0?";
    if (!b->x || !b->y || !b->z)
        return "a block has at least one thread in each direction";
    if (g->x > INT_MAX)
        return "a grid has at most 2147483647 blocks in x: was the number negative?";
    if (g->y > 65535 || g->z > 65535)
        return "a grid has at most 65535 blocks in y and in z";
    if (b->x > DEV_MOST_THREADS && b->y * b->z * g->y * g->z == 1 && g->x % 32 == 0 &&
        g->x <= DEV_MOST_THREADS)
        return "a block has at most 1024 threads: are grid and block exchanged, which stand as "
               "<<<blocks, threads of a block>>>?";
    if ((uint64_t)b->x * b->y * b->z > DEV_MOST_THREADS || b->z > 64)
        return "a block has at most 1024 threads, 64 of them in z";
    return NULL;
}

#define SAID_MOST 4 /* launches that are told of */

/* A line for who reads what the program printed: the caller knows the error's number alone. */
static void say_refused(const struct dev_kernel *k, const struct dev_launch *l, cudaError_t error)
{
    static _Atomic int said;
    const char *why = bad_number(l);
    char bounds[80];
    snprintf(bounds, sizeof bounds, "its __launch_bounds__ allow %u threads of a block",
             k->most_threads);
    why = error == cudaErrorLaunchOutOfResources ? bounds : why;
    if (dev_error_of_device() || atomic_fetch_add(&said, 1) >= SAID_MOST)
        return;
    fprintf(stderr,
            "hpclab: the launch of %s at %s:%d is refused, %s: grid (%u, %u, %u), block (%u, %u, "
            "%u), %zu bytes of shared memory%s%s\n",
            l->kernel, l->file ? l->file : "?", l->line, cudaGetErrorName(error), l->grid.x,
            l->grid.y, l->grid.z, l->block.x, l->block.y, l->block.z, l->dynamic_shared,
            why                              ? "; "
            : error == cudaErrorInvalidValue ? "; more than 48 KiB are to be asked for by "
                                               "cudaFuncSetAttribute"
                                             : "",
            why ? why : "");
}

void dev_error_of_launch(const struct dev_kernel *kernel, const struct dev_launch *launch,
                         cudaError_t error)
{
    say_refused(kernel, launch, error);
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
