/* What every step of a grading writes into a task's result. */
#include <stdio.h>

#include "harness/grade/internal.h"

void result_end(struct task_result *result, enum verdict verdict, const char *reason)
{
    result->verdict = verdict;
    snprintf(result->reason, sizeof result->reason, "%s", reason);
}

void result_reproduce(const struct grading *g, const struct lab_task *task,
                      const struct lab_case *c, const char *option, struct task_result *result)
{
    snprintf(result->reproduce, sizeof result->reproduce,
             "./hpclab run %s/%s --impl %s --case %s --seed %llu%s", g->lab->name, task->name,
             g->implementation, c->name, (unsigned long long)g->seed, option);
}
