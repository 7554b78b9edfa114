/* One processor a thread. Two threads that wait for each other every 100 us and share a processor,
 * while another one idles, run several times slower; kernels mend that only after milliseconds. */
#ifndef HPC_HARNESS_PIN_H
#define HPC_HARNESS_PIN_H

#include <sys/types.h>

/* Bind the threads that a process has now to processors of our own mask, one each. Does nothing
 * where it has one thread, or more than there are processors: the kernel knows better then. */
void pin_threads(pid_t process);

#endif
