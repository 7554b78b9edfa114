/* What every step of a grading writes into a task's result. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/grade/internal.h"

void result_end(struct task_result *result, enum verdict verdict, const char *format, ...)
{
    char reason[sizeof result->reason];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    strcpy(result->reason, reason);
    result->verdict = verdict;
}

void result_reproduce(const struct grading *g, const struct lab_task *task,
                      const struct lab_case *c, const char *option, struct task_result *result)
{
    snprintf(result->reproduce, sizeof result->reproduce,
             "./hpclab run %s/%s --impl %s --case %s --seed %llu%s", g->project->lab->name,
             task->name, g->implementation, c->name, (unsigned long long)g->seed, option);
}
