/* Checks of CUDA's calls and the choice of a device, by the names of NVIDIA's samples. The guards
 * of these headers are theirs, too: a program may bring some of them, and take the others from
 * here. */
#ifndef COMMON_HELPER_CUDA_H_
#define COMMON_HELPER_CUDA_H_

#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helper_string.h"

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef DEVICE_RESET
#define DEVICE_RESET cudaDeviceReset();
#endif

inline const char *_cudaGetErrorEnum(cudaError_t error)
{
    return cudaGetErrorName(error);
}

#if defined(CUBLAS_API_H_)
inline const char *_cudaGetErrorEnum(cublasStatus_t status)
{
    return cublasGetStatusName(status);
}
#endif

template <typename T> void check(T result, char const *call, const char *file, int line)
{
    if (result) {
        fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\"\n", file, line, (int)result,
                _cudaGetErrorEnum(result), call);
        exit(EXIT_FAILURE);
    }
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)

inline void hpc_last_error(const char *message, const char *file, int line, bool ends)
{
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s(%d): CUDA error: %s: (%d) %s\n", file, line, message, (int)error,
            cudaGetErrorString(error));
    if (ends)
        exit(EXIT_FAILURE);
}
#define getLastCudaError(message)   hpc_last_error(message, __FILE__, __LINE__, true)
#define printLastCudaError(message) hpc_last_error(message, __FILE__, __LINE__, false)

inline int ftoi(float value)
{
    return value >= 0 ? (int)(value + 0.5f) : (int)(value - 0.5f);
}

/* Of each compute capability the lanes for fp32 of a multiprocessor, and the architecture's name.
 */
struct hpc_architecture {
    int version, cores;
    const char *name;
};

inline const hpc_architecture &hpc_architecture_of(int major, int minor)
{
    static const hpc_architecture all[] = {
        {0x30, 192, "Kepler"},    {0x32, 192, "Kepler"},    {0x35, 192, "Kepler"},
        {0x37, 192, "Kepler"},    {0x50, 128, "Maxwell"},   {0x52, 128, "Maxwell"},
        {0x53, 128, "Maxwell"},   {0x60, 64, "Pascal"},     {0x61, 128, "Pascal"},
        {0x62, 128, "Pascal"},    {0x70, 64, "Volta"},      {0x72, 64, "Xavier"},
        {0x75, 64, "Turing"},     {0x80, 64, "Ampere"},     {0x86, 128, "Ampere"},
        {0x87, 128, "Ampere"},    {0x89, 128, "Ada"},       {0x90, 128, "Hopper"},
        {0xa0, 128, "Blackwell"}, {0xc0, 128, "Blackwell"},
    };
    const hpc_architecture *found = all;
    for (const hpc_architecture &a : all)
        if (a.version <= (major << 4) + minor)
            found = &a;
    return *found;
}

inline int _ConvertSMVer2Cores(int major, int minor)
{
    return hpc_architecture_of(major, minor).cores;
}

inline const char *_ConvertSMVer2ArchName(int major, int minor)
{
    return hpc_architecture_of(major, minor).name;
}

inline int hpc_attribute(cudaDeviceAttr attribute, int device)
{
    int value = 0;
    checkCudaErrors(cudaDeviceGetAttribute(&value, attribute, device));
    return value;
}

inline int hpc_device_count()
{
    int count = 0;
    checkCudaErrors(cudaGetDeviceCount(&count));
    if (count == 0) {
        fprintf(stderr, "CUDA error: no device supports CUDA\n");
        exit(EXIT_FAILURE);
    }
    return count;
}

/* Chooses a device: its number, or that negated where there is none such. */
inline int gpuDeviceInit(int device)
{
    const int count = hpc_device_count();
    device = device < 0 ? 0 : device;
    if (device >= count) {
        fprintf(stderr, "%d CUDA device(s), device %d is none of them\n", count, device);
        return -device;
    }
    if (hpc_attribute(cudaDevAttrComputeMode, device) == cudaComputeModeProhibited) {
        fprintf(stderr, "device %d is prohibited to computing\n", device);
        return -1;
    }
    checkCudaErrors(cudaSetDevice(device));
    printf("gpuDeviceInit() CUDA Device [%d]: \"%s\"\n", device,
           _ConvertSMVer2ArchName(hpc_attribute(cudaDevAttrComputeCapabilityMajor, device),
                                  hpc_attribute(cudaDevAttrComputeCapabilityMinor, device)));
    return device;
}

/* The device with the most lanes times its clock. */
inline int gpuGetMaxGflopsDeviceId()
{
    const int count = hpc_device_count();
    int best = -1;
    double most = -1;
    for (int d = 0; d < count; d++) {
        if (hpc_attribute(cudaDevAttrComputeMode, d) == cudaComputeModeProhibited)
            continue;
        const double speed =
            (double)hpc_attribute(cudaDevAttrMultiProcessorCount, d) *
            _ConvertSMVer2Cores(hpc_attribute(cudaDevAttrComputeCapabilityMajor, d),
                                hpc_attribute(cudaDevAttrComputeCapabilityMinor, d)) *
            hpc_attribute(cudaDevAttrClockRate, d);
        if (speed > most) {
            most = speed;
            best = d;
        }
    }
    if (best < 0) {
        fprintf(stderr, "CUDA error: all devices are prohibited to computing\n");
        exit(EXIT_FAILURE);
    }
    return best;
}

/* --device=N of the command line, else the fastest one. */
inline int findCudaDevice(int argc, const char **argv)
{
    int device;
    if (checkCmdLineFlag(argc, argv, "device")) {
        device = gpuDeviceInit(getCmdLineArgumentInt(argc, argv, "device"));
        if (device < 0)
            exit(EXIT_FAILURE);
        return device;
    }
    device = gpuGetMaxGflopsDeviceId();
    checkCudaErrors(cudaSetDevice(device));
    const int major = hpc_attribute(cudaDevAttrComputeCapabilityMajor, device);
    const int minor = hpc_attribute(cudaDevAttrComputeCapabilityMinor, device);
    printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device,
           _ConvertSMVer2ArchName(major, minor), major, minor);
    return device;
}

/* The first device that shares memory with the host's graphics, -1 without one. */
inline int findIntegratedGPU()
{
    const int count = hpc_device_count();
    for (int d = 0; d < count; d++)
        if (hpc_attribute(cudaDevAttrIntegrated, d) &&
            hpc_attribute(cudaDevAttrComputeMode, d) != cudaComputeModeProhibited) {
            checkCudaErrors(cudaSetDevice(d));
            return d;
        }
    return -1;
}

inline bool checkCudaCapabilities(int major, int minor)
{
    int device = 0;
    checkCudaErrors(cudaGetDevice(&device));
    const int has_major = hpc_attribute(cudaDevAttrComputeCapabilityMajor, device);
    const int has_minor = hpc_attribute(cudaDevAttrComputeCapabilityMinor, device);
    const bool has = has_major > major || (has_major == major && has_minor >= minor);
    printf("  Device %d: compute capability %d.%d, %d.%d is %s\n", device, has_major, has_minor,
           major, minor, has ? "there" : "needed");
    return has;
}
#endif
