/* Dynamic shared memory of any type inside a template: an extern array has one type for each name,
 * so that each type gets a specialisation with a name of its own. */
#ifndef SHAREDMEM_CUH
#define SHAREDMEM_CUH

template <typename T> struct SharedMemory {
    __device__ T *getPointer()
    {
        extern __device__ void error(void);
        error();
        return NULL;
    }
};

#define SHARED_MEMORY_OF(TYPE, NAME)                                                               \
    template <> struct SharedMemory<TYPE> {                                                        \
        __device__ TYPE *getPointer()                                                              \
        {                                                                                          \
            extern __shared__ TYPE NAME[];                                                         \
            return NAME;                                                                           \
        }                                                                                          \
    }

template <> struct SharedMemory<int> {
    __device__ int *getPointer()
    {
        extern __shared__ int s_int[];
        return s_int;
    }
};

template <> struct SharedMemory<float> {
    __device__ float *getPointer()
    {
        extern __shared__ float s_float[];
        return s_float;
    }
};

SHARED_MEMORY_OF(double, s_double);
SHARED_MEMORY_OF(unsigned char, s_uchar);

#endif
