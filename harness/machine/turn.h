/* Whose turn it is on this machine, when several gradings run at once: builds and right answers
 * side by side, timings one at a time while nothing else of ours runs.
 *
 * Interface: each grading shares the machine from its beginning (turn_share), takes it for itself
 * around what it times (turn_take, turn_give), and leaves it at its end. Who waits to take it
 * stands at a gate that newcomers must pass, so that it is never passed over. Locks of the
 * kernel's: they end with their process. */
#ifndef HPC_HARNESS_MACHINE_TURN_H
#define HPC_HARNESS_MACHINE_TURN_H

#include "common/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct turn {
    int gate, machine; /* descriptors */
};

/* The files ROOT/build/timing-HOST.gate and .lock, made where they are missing. Each process opens
 * its own: a lock is of what was opened. */
bool turn_open(const char *root, struct turn *t, struct hpc_error *err);
void turn_close(struct turn *t);
/* All wait until they have it. */
void turn_share(const struct turn *t);
void turn_take(const struct turn *t);
void turn_give(const struct turn *t);

#ifdef __cplusplus
}
#endif
#endif
