/* Between host code of a run() and the device's memory (dev_wall), inside the runtime. */
#ifndef HPC_DEVICE_WALL_H
#define HPC_DEVICE_WALL_H

#include <stdbool.h>
#include <stddef.h>

/* The memory that it stands around, while it is lifted; hosts_too: some of it is the host's, and
 * no wall stands from here on. */
void dev_wall_around(void *p, size_t bytes, bool hosts_too);
/* Whether host code that can't reach p was stopped by it. */
bool dev_wall_met(const void *p);
/* Until it is closed, or lifted next, host code has its way. */
void dev_wall_open(void);
void dev_wall_close(void);

#endif
