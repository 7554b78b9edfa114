/* What loops between barriers ask of the runtime in check mode (hpc_device/phases.h). Not of
 * generated.h: no program that the grader checks, which is of traffic mode, may call these. */
#ifndef HPC_DEVICE_LOOPS_H
#define HPC_DEVICE_LOOPS_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Check mode: of a kernel that is loops between its barriers one begins, over threads with
 * threadIdx.x below `most`; says over how many. The next of them is the running thread: threadIdx
 * and its number. And all threads have come to a barrier, but for
 * those marked in `left`, which have returned; NULL: none has. */
typedef unsigned dev_thread_place __attribute__((vector_size(16)));
unsigned dev_loop_begins(unsigned most);
dev_thread_place dev_loop_thread(void);
void dev_loop_barrier(struct dev_site site, const bool *left);
/* All lanes of each warp have met. And the value that a thread gets there is that of a lane
 * `source` which its warp has not; `down`: of a shuffle down. */
void dev_loop_warps_meet(void);
void dev_loop_absent(struct dev_site site, unsigned thread, unsigned source, bool down);

#ifdef __cplusplus
}
#endif
#endif
