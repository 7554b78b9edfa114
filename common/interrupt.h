/* Ctrl-C and SIGTERM: the first sets a flag that long verbs look at, so that they end in order and
 * keep what they have; the second kills all runners and ends at once with 130. */
#ifndef HPC_COMMON_INTERRUPT_H
#define HPC_COMMON_INTERRUPT_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Once, at start. Also ignores SIGPIPE, so that a closed pipe is an error of a write. */
void interrupt_install(void);
bool hpc_interrupted(void);

#ifdef __cplusplus
}
#endif
#endif
