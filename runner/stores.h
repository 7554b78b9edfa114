/* The part of a runner that counts which threads store into which lines of the cache: runner.c asks
 * for its report at the end where it is linked in (stores.c). */
#ifndef HPC_RUNNER_STORES_H
#define HPC_RUNNER_STORES_H

#ifdef __cplusplus
extern "C" {
#endif

/* To stdout, in one line (harness/trial/stores.c reads it). Absent, and so NULL, from all other
 * runners. */
void runner_stores(void) __attribute__((weak));

#ifdef __cplusplus
}
#endif
#endif
