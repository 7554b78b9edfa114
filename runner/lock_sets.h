/* Which locks a thread has: locks.c tells of them, phases.c asks. */
#ifndef HPC_RUNNER_LOCK_SETS_H
#define HPC_RUNNER_LOCK_SETS_H

#include <stdbool.h>
#include <stdint.h>

#define RUNNER_LOCK_SETS 128 /* of locks that a thread has at a time */

struct runner_lock {
    const void *at;
    int depth;      /* times that it is taken; an omp_nest_lock_t may be so more than once */
    unsigned times; /* that it was free again */
    int phase;      /* in which it was last given back, */
    uint64_t chain; /* and the longest of those who did: locks.c */
};

#ifdef __cplusplus
extern "C" {
#endif

/* The lock of this address; NULL: there are too many. */
struct runner_lock *runner_lock_of(const void *at);
/* Whether the calling thread has it. */
bool runner_has_lock(const struct runner_lock *l);
/* The thread has it from now on; false where it has too many. */
bool runner_lock_take(struct runner_lock *l);
/* It is given back, by whichever thread. */
void runner_lock_give(struct runner_lock *l);
/* Which locks the thread has, as a place in RUNNER_LOCK_SETS; -1: none. */
int runner_lock_set(void);
/* Of the bytes done under each of them: those that only one thread can have done at a time. */
uint64_t runner_under_locks(const uint64_t *bytes);

#ifdef __cplusplus
}
#endif
#endif
