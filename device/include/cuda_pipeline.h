/* The primitives of pipelines; its classes are not supported. */
#ifndef HPC_DEVICE_CUDA_PIPELINE_H
#define HPC_DEVICE_CUDA_PIPELINE_H

#include "cuda_pipeline_primitives.h"
#endif
