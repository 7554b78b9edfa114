/* The host's side of a program: preprocessed once more with this behind the first header, where it
 * has
 * __CUDA_ARCH__ (device/rewrite/sides.c). */
#ifndef HPC_DEVICE_HOST_SIDE_H
#define HPC_DEVICE_HOST_SIDE_H

#undef __CUDA_ARCH__

#endif
