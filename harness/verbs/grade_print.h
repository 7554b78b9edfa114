/* A grading as `./grade` prints it: its head, a task as it ends, the score. */
#ifndef HPC_HARNESS_VERBS_GRADE_PRINT_H
#define HPC_HARNESS_VERBS_GRADE_PRINT_H

#include "harness/lab/lab.h"
#include "harness/record/record.h"

/* `tasks`: how many will be graded; `verbose`: the jail and the seed, too, which the record has. */
void grade_print_head(const struct record *r, const struct lab *lab, int tasks, bool verbose);
void grade_print_task(const struct task_result *t);
/* Returns the exit status; `path` is where the record lies. */
int grade_print_end(const struct record *r, const char *path);

#endif
