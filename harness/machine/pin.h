/* One processor a thread. Two threads that wait for each other every 100 us and share a processor,
 * while another one idles, run several times slower; kernels mend that only after milliseconds. */
#ifndef HPC_HARNESS_MACHINE_PIN_H
#define HPC_HARNESS_MACHINE_PIN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The processors of our own mask, at most `most`: those that were chosen, then one of each core,
 * then the others of cores that run several threads. How many there are. */
int pin_order(int *cpus, int most);

/* The processors for so many threads, into cpus[0..threads): always the same in this process, and
 * not those of another grader on this machine, as long as there are others. How many there are:
 * fewer than `threads` where the machine has no more. */
int pin_choose(int threads, int *cpus);
/* The same as a cpu_set_t of `size` bytes; all of ours with threads 0. False where none is known.
 */
bool pin_mask(int threads, void *mask, size_t size);
/* Keep this thread, and what it starts, off the processors for so many threads, where others are
 * left; back to all of ours with threads 0. */
void pin_away(int threads);

/* Bind the threads that a process has now to the processors for `threads` threads (0: to any of
 * ours), one each. Does nothing where it has one thread, or more than there are processors: the
 * kernel knows better then. */
void pin_threads(pid_t process, int threads);

#endif
