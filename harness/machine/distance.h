/* How far apart the processors are that threads of a runner are bound to: what a barrier costs
 * follows from it. On a virtual machine the host may move a processor to another part of the chip,
 * from one second to the next, and the distance changes by a factor of four. */
#ifndef HPC_HARNESS_MACHINE_DISTANCE_H
#define HPC_HARNESS_MACHINE_DISTANCE_H

#include <stdbool.h>

/* Nanoseconds for a cache line from the first processor to another and back, the largest over the
 * processors that `threads` threads are bound to (harness/machine/pin.h). Takes about 2 ms for
 * each. 0 where there are fewer than two, or they can't be had. */
double distance_ns(int threads);
/* Whether two of them are alike enough that a barrier costs the same: within a factor of 1.5. */
bool distance_same(double a, double b);

#endif
