/* For variants in CUDA: checked calls, device memory, one object that several states share. */
#ifndef HPC_CONV2D_GPU_H
#define HPC_CONV2D_GPU_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conv2d/conv2d.h"

/* A call that fails ends the process, with the expression, the error's name and the place; so does
 * a launch, by CUDA(cudaGetLastError()) behind it. CUDNN and CUBLAS are the same for calls of these
 * libraries, whose headers cudnn_forward.h and windows_product.h include. */
#define CUDA(call)   gpu_check((call), #call, __FILE__, __LINE__)
#define CUDNN(call)  gpu_check((call), #call, __FILE__, __LINE__)
#define CUBLAS(call) gpu_check((call), #call, __FILE__, __LINE__)

/* The text of a macro's value: a variant that is built under several names has its own by it. */
#define GPU_TEXT(name)  #name
#define GPU_NAME(macro) GPU_TEXT(macro)

/* The name of an error, NULL for none: one function for each library. */
static inline const char *gpu_error(cudaError_t error)
{
    return error == cudaSuccess ? NULL : cudaGetErrorName(error);
}

namespace
{

template <class STATUS>
inline void gpu_check(STATUS status, const char *call, const char *file, int line)
{
    const char *error = gpu_error(status);
    if (!error)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, error);
    exit(EXIT_FAILURE);
}

/* Room for `count` elements on the device, one at least. */
template <class T> inline T *gpu_alloc(size_t count)
{
    void *p = NULL;
    CUDA(cudaMalloc(&p, (count ? count : 1) * sizeof(T)));
    return (T *)p;
}

/* A copy on the device of `bytes` of the host's. */
inline void *gpu_copy(const void *host, size_t bytes)
{
    char *p = gpu_alloc<char>(bytes);
    CUDA(cudaMemcpy(p, host, bytes, cudaMemcpyHostToDevice));
    return p;
}

inline int gpu_blocks(size_t threads, int block)
{
    return (int)((threads + block - 1) / block);
}

inline size_t conv_type_bytes(int type)
{
    return type == CONV_F16 ? 2 : 4;
}

/* One T (with open(problem), which may refuse, and close()) for all states that are open with the
 * same problem: a library's handle, an algorithm that took a search, a workspace. So a variant can
 * be opened often, each time with weights of its own. Calls are made one after another. */
template <class T> struct shared {
    struct conv2d_problem problem;
    T value;
    int users;
    shared *next;

    static shared *&first()
    {
        static shared *list = NULL;
        return list;
    }

    static T *open(const struct conv2d_problem &problem)
    {
        shared *s = first();
        while (s && memcmp(&s->problem, &problem, sizeof problem) != 0)
            s = s->next;
        if (!s) {
            s = new shared();
            s->problem = problem;
            if (!s->value.open(s->problem)) {
                delete s;
                return NULL;
            }
            s->next = first();
            first() = s;
        }
        s->users++;
        return &s->value;
    }

    static void close(T *value)
    {
        for (shared **at = &first(); *at; at = &(*at)->next) {
            shared *s = *at;
            if (&s->value != value)
                continue;
            if (--s->users == 0) {
                *at = s->next;
                s->value.close();
                delete s;
            }
            return;
        }
    }
};

} // namespace

#endif
