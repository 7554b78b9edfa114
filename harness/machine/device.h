/* Where a variant's arrays lie and its code runs: the host (.c), or a device (.cu), which is the
 * CPU's (device/) or a GPU. */
#ifndef HPC_HARNESS_MACHINE_DEVICE_H
#define HPC_HARNESS_MACHINE_DEVICE_H

#include "common/error.h"

enum hpc_place {
    DEVICE_HOST, /* no device: a .c variant */
    DEVICE_CPU,  /* the CPU device */
    DEVICE_CUDA, /* an NVIDIA GPU */
};

/* Whether a source is CUDA C++, by its name. */
bool device_source(const char *file);
/* "cpu" or "cuda": the folder below build/, and the word in records. */
const char *device_name(enum hpc_place device);
/* What `auto`, `cpu` or `cuda` means for CUDA sources here. False with a line where it is none of
 * these words, or cuda where there is no GPU or no nvcc. */
bool device_choose(const char *word, enum hpc_place *device, struct hpc_error *err);

/* nvcc's path: in PATH, CUDA_HOME or /usr/local/cuda; NULL: not here, or HPC_NVCC=none in the
 * environment, which may name another path too. */
const char *device_nvcc(void);
/* "-gencode=arch=compute_90a,code=sm_90a": of the GPU that is here, by nvidia-smi; without one,
 * this. */
const char *device_architecture(void);

#endif
