/* CUDA C++ on the CPU device: what nvcc declares in every .cu file. */
#ifndef HPC_DEVICE_CUDA_RUNTIME_H
#define HPC_DEVICE_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__ /* what helper headers ask for */

#include "hpc_device/special.h" /* before <cmath> */

#include <assert.h>
#include <fenv.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Words that say nothing on a CPU. __global__, __device__, __shared__ and their kin, and what is
 * made of __launch_bounds__, are left to device/rewrite. */
#define __launch_bounds__(...) __attribute__((hpc_launch_bounds(__VA_ARGS__)))
#define __maxnreg__(...)
#define __grid_constant__
#define __device_builtin__
#define __cudart_builtin__
#define __inline_hint__
#define __forceinline__      inline __attribute__((always_inline)) /* one text in all modes */
#define __nv_pure__          __attribute__((pure))
#define __builtin_align__(n) __align__(n)

#include "cuda_runtime_api.h"
#include "vector_functions.h"
#include "hpc_device/kernel.h"
#include "hpc_device/blocks.h"
#include "hpc_device/statics.h"
#include "hpc_device/turns.h"
#include "hpc_device/locals.h"
#include "hpc_device/sync.h"
#include "hpc_device/unmasked.h"
#include "hpc_device/math.h"
#include "hpc_device/bessel.h"
#include "hpc_device/rounding.h"
#include "hpc_device/atomics.h"
#include "hpc_device/launch.h"
#include "hpc_device/ptx.h"

/* What comes now is a program's own: it is not to tell in which mode it is built. */
#undef DEV_CHECK
#undef DEV_AVX512
#undef DEV_ASAN
#undef HPC_DEVICE_INLINE
#undef HPC_UNCHECKED

#endif
