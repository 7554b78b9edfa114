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

/* Such a loop at once (hpc_device/batches.h, device/check/batch.c): `shape` goes through its body
 * for the threads of a row that check_batch_threads names, and says what they touch: the first of
 * them at `at`, each other one `stride` bytes behind the one before it. It goes no further where
 * they do different things, the first of them to do so having threadIdx.x == at; or where it can't
 * say. True: all accesses of the loop are looked at. */
struct dev_batch {
    unsigned odd, done; /* how often */
};
struct dev_batch_threads {
    unsigned first, count; /* by threadIdx.x */
};
typedef void dev_batch_shape(const void *context, unsigned y, unsigned z);
extern struct dev_batch_threads check_batch_threads;
bool dev_batch(struct dev_batch *b, unsigned most, dev_batch_shape *shape, const void *context);
bool check_batch(struct dev_batch *b, const struct dev_index *size, unsigned most,
                 dev_batch_shape *shape, const void *context);
void check_batch_read(const void *at, intptr_t stride, unsigned bytes, const void *array);
void check_batch_write(const void *at, intptr_t stride, unsigned bytes);
void check_batch_parts(unsigned at) __attribute__((noreturn));
void check_batch_odd(void) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif
#endif
