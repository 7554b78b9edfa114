/* The part of a runner that serves a variant on a device: runner.c calls it where it is linked in
 * (device.cu, built for the CPU device or by nvcc), and has a variant of the host's otherwise. */
#ifndef HPC_RUNNER_DEVICE_H
#define HPC_RUNNER_DEVICE_H

#include "common/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All but `finish` return 0 or a cudaError_t. Arrays of the host are those of the shared memories,
 * as `control` lays them out, each inside its whole span. */
struct runner_device {
    /* Buffers for all arrays; in[k] and out[k] become where they lie on the device. Fixed inputs
     * are copied here, all others by bring(). */
    int (*open)(const struct hpc_control *control, void *const host_in[], void *const host_out[],
                const void *in[], void *out[]);
    /* Inputs and poisoned outputs to the device, which is idle when this returns, its caches full
     * of something else. */
    int (*bring)(void);
    /* Wait until all that run() started has ended. The first error since the last step. */
    int (*wait)(void);
    /* Outputs, and what lies around them, from the device. */
    int (*fetch)(void);
    /* Free the buffers. */
    int (*close)(void);
    /* The CPU device's last reports (dev_finish). */
    void (*finish)(void);
};

/* Absent, and so NULL, from a runner of the host's. */
extern const struct runner_device runner_device __attribute__((weak));

#ifdef __cplusplus
}
#endif
#endif
