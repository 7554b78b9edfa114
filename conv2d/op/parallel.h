/* A loop on all processors, for the trusted side: threads live for one loop only, so that none
 * spins while a variant is timed. */
#ifndef HPC_CONV2D_OP_PARALLEL_H
#define HPC_CONV2D_OP_PARALLEL_H

#ifdef __cplusplus
extern "C" {
#endif

/* body(arg, i) for all 0 <= i < n, in no order, several at a time; returns when all are done.
 * Bodies write to places of their own. */
void parallel_for(int n, void (*body)(void *arg, int i), void *arg);

#ifdef __cplusplus
}
#endif
#endif
