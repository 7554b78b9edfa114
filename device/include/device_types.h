/* All of it is in cuda_runtime.h. */
#ifndef HPC_DEVICE_DEVICE_TYPES_H
#define HPC_DEVICE_DEVICE_TYPES_H
#include "cuda_runtime.h"
#endif
