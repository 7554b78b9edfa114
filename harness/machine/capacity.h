/* What processors give to threads that run at once. On a virtual machine each of ours is one thread
 * of a core of the host, and the other thread of that core may be another guest's: while that one
 * works, ours does the same arithmetic 1.15 to 1.7 times slower. It comes and goes within 10 to 300
 * ms, on each processor by itself, or stays for minutes, and no load and no stolen time shows it.
 * A loop that keeps all of a core's units busy does; a chain of dependent operations, which leaves
 * most of them idle, runs on as ever. One thread meets it now and then, and a median does not mind;
 * threads that wait for each other meet it as often as all of them together. */
#ifndef HPC_HARNESS_MACHINE_CAPACITY_H
#define HPC_HARNESS_MACHINE_CAPACITY_H

/* The speed of such a loop over that of such a chain, both in registers, of the slowest of
 * `threads` threads at once: a constant of the processor's kind, at any clock, as long as it has
 * its core for itself. They are bound to the processors that a runner's are
 * (harness/machine/pin.h). Takes about 0.2 ms. 0 where there are not so many processors, or threads
 * can't be had. */
double capacity_look(int threads);

/* What it is when all is quiet: the upper decile of n > 0 looks, so that a tenth of the time must
 * be quiet, and one lucky look does not count. */
double capacity_quiet(const double *looks, int n);

#endif
