/* Ctrl-C and SIGTERM: the first sets a flag that long verbs look at, so that they end in order and
 * keep what they have; the second ends at once with 130. */
#ifndef HPC_COMMON_INTERRUPT_H
#define HPC_COMMON_INTERRUPT_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Once, at start. Also ignores SIGPIPE, so that a closed pipe is an error of a write. The second
 * signal calls `last` before it ends the process (jail_kill_all: no runner outlives us); it must be
 * safe in a signal handler. NULL: nothing. */
void interrupt_install(void (*last)(void));
/* Whether one came; or the time of hpc_budget is over, which ends what is under way in the same
 * order. */
bool hpc_interrupted(void);
/* So many seconds from now; 0: no end. And whether they are over. */
void hpc_budget(double seconds);
bool hpc_out_of_time(void);

#ifdef __cplusplus
}
#endif
#endif
