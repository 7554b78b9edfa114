/* The command that repeats what a grading saw. */
#include <stdio.h>

#include "harness/grade/internal.h"

void result_reproduce(const struct grading *g, const struct lab_task *task,
                      const struct lab_case *c, const char *option, struct task_result *result)
{
    snprintf(result->reproduce, sizeof result->reproduce,
             "./hpclab run %s/%s --impl %s --case %s --seed %llu%s", g->project->lab->name,
             task->name, g->implementation, c->name, (unsigned long long)g->seed, option);
}
