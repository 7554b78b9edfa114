/* All of it is in cuda_runtime.h. */
#ifndef HPC_DEVICE_CUDA_H
#define HPC_DEVICE_CUDA_H
#include "cuda_runtime.h"
#endif
