/* Timings of baselines, references and records by machine: reference/NAME.json, written by
 * `make reference`; the source of targets. */
#ifndef HPC_HARNESS_RECORD_REFERENCE_H
#define HPC_HARNESS_RECORD_REFERENCE_H

#include "common/error.h"
#include "harness/machine/machine.h"
#include "harness/lab/project.h"

/* The full-marks ratio of a task: its own `target` from lab.ini; else from this machine's file,
 * with "stale" in `source` where it is; else from the nearest machine's (same arch, then SIMD
 * level, then cores), with "estimated" in `source`; else 0, with what comes first in `source`: such
 * points wait. */
double reference_target(const struct project *p, const struct lab_task *task,
                        const struct machine *m, char *source, int source_size);

/* SHA-256 of the sources of a task's baseline and reference. */
void reference_sources(const struct project *p, const struct lab_task *task, char hex[65]);
/* Why this machine's own entry of a task says less than it did: another compiler, other sources of
 * baseline or reference. The caller's; NULL: it does not, or there is none, or it is of a version
 * that did not record this. */
char *reference_stale(const struct project *p, const struct lab_task *task,
                      const struct machine *m);

/* How many of the lab's tasks with points for speed have no full-marks ratio here. */
int reference_missing(const struct project *p, const struct machine *m);

/* What this machine gave the task's threads when its reference was timed: `capacity` in
 * harness/measure/pairs.h. 0 where no file of this machine says. */
double reference_capacity(const struct project *p, const struct lab_task *task,
                          const struct machine *m);

#endif
