/* What this machine's memory gives to copies. */
#ifndef HPC_HARNESS_MACHINE_COPY_H
#define HPC_HARNESS_MACHINE_COPY_H

#include <stdbool.h>

/* Bytes a second, read and written, of `threads` threads that copy what no cache holds; the best of
 * some turns, a tenth of a second or less with `quick`. */
double copy_rate(int threads, bool quick);

/* Seconds, of one clock, at which a thread began its copy and was done. */
struct copy_span {
    double start, end;
};
/* Bytes a second of n threads that moved `bytes` each: the sum of what each one's own clock says,
 * whoever began late; where they hardly copied at the same time, all bytes over the time from the
 * first start to the last end, which is no more than the memory gives. */
double copy_turn_rate(const struct copy_span *spans, int n, double bytes);

#endif
