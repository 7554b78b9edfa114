/* What every .cu file begins with. `make` compiles it for the modes check and run (mk/device.mk),
 * as it is most of what a small program's compilation takes. */
#ifndef HPC_DEVICE_START_H
#define HPC_DEVICE_START_H

#include <cuda_runtime.h>

#endif
