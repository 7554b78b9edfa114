/* The one clock: of time that calls take, deadlines and pauses. */
#ifndef HPC_COMMON_CLOCK_H
#define HPC_COMMON_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds of CLOCK_MONOTONIC: nobody sets it, and it does not stop. */
double clock_now(void);

#ifdef __cplusplus
}
#endif
#endif
