/* All of it is in cuda_runtime.h. */
#ifndef HPC_DEVICE_SM_20_ATOMIC_FUNCTIONS_H
#define HPC_DEVICE_SM_20_ATOMIC_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
