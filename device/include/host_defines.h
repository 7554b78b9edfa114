/* All of it is in cuda_runtime.h. */
#ifndef HPC_DEVICE_HOST_DEFINES_H
#define HPC_DEVICE_HOST_DEFINES_H
#include "cuda_runtime.h"
#endif
