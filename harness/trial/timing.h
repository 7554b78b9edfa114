/* Paired timing of a task's speed case against its baseline; grading and `hpclab reference` share
 * it. */
#ifndef HPC_HARNESS_TRIAL_TIMING_H
#define HPC_HARNESS_TRIAL_TIMING_H

#include "harness/lab/lab.h"
#include "harness/measure/pairs.h"

struct timed_runner {
    const char *path;  /* of the runner that is timed against the task's baseline */
    const char *label; /* for progress */
    uint64_t seed;
    double threshold, capacity; /* as in measure_spec */
    int pairs;
    bool quick, trusted;
};

/* False when the case or the baseline cannot be made ready; else `result` says what was measured.
 */
bool measure_task(const char *root, const struct lab *lab, const struct lab_task *task,
                  const struct timed_runner *runner, struct measure_result *result,
                  struct hpc_error *err);

#endif
