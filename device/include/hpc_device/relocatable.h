/* As nvcc -rdc=true: looked for by device/rewrite (symbol.c). Device functions and variables that
 * this text does not keep to itself are those of the whole program. */
#ifndef HPC_DEVICE_RELOCATABLE_H
#define HPC_DEVICE_RELOCATABLE_H

#define __CUDACC_RDC__

enum { device_code_is_relocatable = 1 };

#endif
