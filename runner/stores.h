/* The parts of a runner that count which threads store into which lines of the cache (stores.c) and
 * what each thread does (phases.c): runner.c asks for their reports at the end where they are
 * linked in. */
#ifndef HPC_RUNNER_STORES_H
#define HPC_RUNNER_STORES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* To stdout, in one line (harness/trial/stores.c reads it). Absent, and so NULL, from all other
 * runners. */
void runner_counts(void) __attribute__((weak));
/* stores.c: `bytes` are stored, by the call that returns to `from`. */
void runner_store(const volatile void *to, size_t bytes, const void *from);
/* stores.c: the calling thread comes from a barrier, so that others may store beside it again. */
void runner_stores_meet(void);
/* phases.c: whether the thread has a lock. */
bool runner_locked(void) __attribute__((weak));
/* waits.c: an atomic operation reads the word, or is about to write it; or a load or store under a
 * lock. */
void runner_read(const volatile void *from) __attribute__((weak));
void runner_read_locked(const volatile void *from) __attribute__((weak));
void runner_wrote(const volatile void *to) __attribute__((weak));
/* phases.c: `bytes` are loaded or stored; and at the end, a line of its own. */
void runner_work(size_t bytes, const void *from) __attribute__((weak));
void runner_phases(void) __attribute__((weak));

#ifdef __cplusplus
}
#endif
#endif
