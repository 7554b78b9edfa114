/* Check mode: kernels whose threads wait at barriers, and for shuffles of whole warps, alone are
 * loops between them, too, where the checker learns as much of them (device/rewrite/phases.c, which
 * looks for the name below). Traffic mode, which asks which lanes are together, has all of them on
 * fibers. */
#ifndef HPC_DEVICE_WATCHED_H
#define HPC_DEVICE_WATCHED_H

enum { phases_are_watched = 1 };

#define HPC_DEVICE_WATCHED
#include "phases.h"
#undef HPC_DEVICE_WATCHED

#endif
