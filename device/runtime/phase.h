/* Between the beginning of a variant's run() and its end. */
#ifndef HPC_DEVICE_PHASE_H
#define HPC_DEVICE_PHASE_H

#include "device/runtime/device.h"

/* Whether a runner has said so of a variant in this process. */
bool dev_phase_of_runner(void);
/* A call that waits for the device, called from `from`. */
void dev_phase_waits(const char *call, const void *from);
/* A call that takes memory of the device. */
void dev_phase_allocates(const char *call, struct dev_site site);
/* A library's call, `legacy`: on the legacy default stream. */
void dev_phase_library(const char *call, bool legacy, const void *from);
/* The host fills memory with bytes of this value. */
void dev_phase_fills(int value, struct dev_site site);
/* A copy; to_runners: into an array that the runner gave to run(). */
void dev_phase_copies(const char *call, bool to_device, bool from_device, bool to_runners,
                      struct dev_site site);

#endif
