/* What every .cu file begins with. `make` compiles it for the modes check and run (mk/device.mk),
 * as it is most of what a small program's compilation takes. Templates that its own functions use
 * return `auto`: g++ makes those where it reads the use, in the compiled header; others it would
 * make anew in every program. */
#ifndef HPC_DEVICE_START_H
#define HPC_DEVICE_START_H

#include <cuda_runtime.h>

#endif
