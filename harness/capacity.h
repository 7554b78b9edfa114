/* What processors give to threads that run at once. On a virtual machine each of ours is one thread
 * of a core of the host, and the other thread of that core may be another guest's: while that one
 * works, ours does the same arithmetic 1.4 to 1.7 times slower. It comes and goes within 10 to 300
 * ms, on each processor by itself, and no load, no stolen time and no chain of dependent operations
 * shows it; a loop that keeps all pipes of a core busy does. One thread meets it now and then, and
 * a median does not mind; threads that wait for each other meet it as often as all of them
 * together. */
#ifndef HPC_HARNESS_CAPACITY_H
#define HPC_HARNESS_CAPACITY_H

/* Seconds that a fixed loop of register arithmetic takes on `threads` threads at once, of the
 * slowest. They are bound to the processors that a runner's are (harness/pin.h), from the first-th
 * on. About 0.1 ms. 0 where there are not so many processors, or threads can't be had. */
double capacity_seconds(int first, int threads);

/* What it takes when all is quiet: the lower decile of n > 0 such figures, so that a tenth of the
 * time must be quiet, and one lucky figure does not count. */
double capacity_quiet(const double *seconds, int n);

/* Below this share of the quiet speed a processor is disturbed. */
#define CAPACITY_SHARE 0.9

#endif
