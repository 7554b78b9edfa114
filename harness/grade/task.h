/* Grading one task: build, needs, cases, safety, traffic, speed. */
#ifndef HPC_HARNESS_GRADE_TASK_H
#define HPC_HARNESS_GRADE_TASK_H

#include "harness/grade/grading.h"

/* Never fails: whatever happens is a verdict with a reason of one line. */
void grade_task(const struct grading *g, const struct lab_task *task, struct task_result *result);

/* The result of a task that --only leaves out. */
void grade_skip(const struct lab_task *task, struct task_result *t);

/* How a submission's task is graded again: `run` knows the working copies only. The command is
 * there to be pasted, so that no part of a name may be one. */
void grade_again(const struct lab *lab, const char *submission, uint64_t seed,
                 struct task_result *t);

#endif
