/* What sample programs expect of a helper_cuda.h: checks of the runtime's calls and the choice of a
 * device. Like the one that comes with CUDA's samples, it offers them only where the runtime's own
 * header has been included first, and asks the device's attributes by number. */
#ifndef SAMPLES_HELPER_CUDA_H
#define SAMPLES_HELPER_CUDA_H

#include <stdio.h>
#include <stdlib.h>

#include "helper_string.h"

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

#ifdef __DRIVER_TYPES_H__
static inline const char *cuda_error_name(cudaError_t error)
{
    return cudaGetErrorName(error);
}

#ifdef CUBLAS_API_H_ /* where cuBLAS has been included, its statuses are checked, too */
static inline const char *cuda_error_name(cublasStatus_t status)
{
    return cublasGetStatusName(status);
}
#endif

template <typename T>
void check(T result, char const *const func, const char *const file, int const line)
{
    if (result) {
        fprintf(stderr, "%s:%d: error %d (%s) of %s\n", file, line, static_cast<int>(result),
                cuda_error_name(result), func);
        exit(EXIT_FAILURE);
    }
}

#define checkCudaErrors(val)  check((val), #val, __FILE__, __LINE__)
#define getLastCudaError(msg) last_cuda_error(msg, __FILE__, __LINE__)

inline void last_cuda_error(const char *message, const char *file, const int line)
{
    cudaError_t error = cudaGetLastError();
    if (cudaSuccess != error) {
        fprintf(stderr, "%s:%d: %s: error %d, %s\n", file, line, message, static_cast<int>(error),
                cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
}
#endif

#ifdef __CUDA_RUNTIME_H__
/* --device=N on the command line, else the device with the most multiprocessors. */
inline int findCudaDevice(int argc, const char **argv)
{
    int count = 0, best = 0, most = -1;
    checkCudaErrors(cudaGetDeviceCount(&count));
    if (count == 0) {
        fprintf(stderr, "no CUDA device\n");
        exit(EXIT_FAILURE);
    }
    if (checkCmdLineFlag(argc, argv, "device")) {
        best = getCmdLineArgumentInt(argc, argv, "device");
    } else {
        for (int d = 0; d < count; d++) {
            int mode = -1, multiprocessors = 0;
            checkCudaErrors(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, d));
            checkCudaErrors(
                cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, d));
            if (mode != cudaComputeModeProhibited && multiprocessors > most) {
                most = multiprocessors;
                best = d;
            }
        }
    }
    int major = 0, minor = 0;
    checkCudaErrors(cudaSetDevice(best));
    checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, best));
    checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, best));
    printf("device %d has compute capability %d.%d\n", best, major, minor);
    return best;
}
#endif

template <class T> inline T iDivUp(T a, T b)
{
    return (a + b - 1) / b;
}

#endif
