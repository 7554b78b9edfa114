/* What the control group of this process allows it: versions 2 and 1. */
#ifndef HPC_HARNESS_MACHINE_CGROUP_H
#define HPC_HARNESS_MACHINE_CGROUP_H

#ifdef __cplusplus
extern "C" {
#endif

/* Cores by the tightest quota from this group up to the root; 0 where there is none. */
double cgroup_cpu_quota(void);
/* How many periods were throttled so far, or -1 where nobody counts. */
long cgroup_throttled(void);

#ifdef __cplusplus
}
#endif
#endif
