/* All of it is in cuda_runtime.h. */
#ifndef HPC_DEVICE_SM_32_INTRINSICS_H
#define HPC_DEVICE_SM_32_INTRINSICS_H
#include "cuda_runtime.h"
#endif
