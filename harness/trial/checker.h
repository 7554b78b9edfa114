/* One case under the CPU device's checker, which runs on the CPU wherever a lab is graded. */
#ifndef HPC_HARNESS_TRIAL_CHECKER_H
#define HPC_HARNESS_TRIAL_CHECKER_H

#include "harness/record/record.h"
#include "harness/trial/checker_report.h"
#include "harness/trial/try.h"

/* One case under the checker. True when the runner came to its end and nothing was found; what was
 * found is in *reports, and in the list. */
bool check_case(struct case_try *t, FILE *list, struct device_reports *reports);

/* Traffic of one case by the model: true when the runner came to its end. */
bool grade_count_traffic(const struct lab_task *task, const struct lab_case *c,
                         const struct build_result *built, uint64_t seed,
                         struct task_traffic *traffic, char *reason, size_t reason_size);

#endif
