/* One processor a thread. Two threads that wait for each other every 100 us and share a processor,
 * while another one idles, run several times slower; kernels mend that only after milliseconds. */
#ifndef HPC_HARNESS_MACHINE_PIN_H
#define HPC_HARNESS_MACHINE_PIN_H

#include <sys/types.h>

/* Bind the threads that a process has now to processors of our own mask, one each, in pin_order.
 * Does nothing where it has one thread, or more than there are processors: the kernel knows better
 * then. */
void pin_threads(pid_t process);

/* The processors of our own mask, at most `most`: first one of each core, then the others of cores
 * that run several threads. How many there are. */
int pin_order(int *cpus, int most);

#endif
