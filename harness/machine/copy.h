/* What this machine's memory gives to copies. */
#ifndef HPC_HARNESS_MACHINE_COPY_H
#define HPC_HARNESS_MACHINE_COPY_H

#include <stdbool.h>

/* Bytes a second, read and written, of `threads` threads that copy what no cache holds; the best of
 * some turns, a tenth of a second or less with `quick`. */
double copy_rate(int threads, bool quick);

#endif
