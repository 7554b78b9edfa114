/* A task of whose file nothing was handed in: whoever handed in has no starter to lay out where the
 * grader is. */
#include <stdlib.h>
#include <unistd.h>

#include "common/error.h"
#include "harness/grade/internal.h"
#include "harness/lab/starters.h"

void grade_missing(const struct grading *g, const struct lab_task *task, struct task_result *result)
{
    char *path = hpc_printf("%s/labs/%s/%s", g->project->root, g->project->lab->name, task->file);
    const enum verdict verdict = result->outcome.verdict;
    if ((verdict == VERDICT_BUILD || verdict == VERDICT_WRONG) && access(path, F_OK) != 0)
        outcome_set(&result->outcome, verdict, "%s" RECORD_NOT_HANDED_IN, task->file);
    free(path);
}

void grade_misnamed(const struct grading *g, const struct lab_task *task,
                    struct task_result *result)
{
    const char *lab = g->project->lab->name;
    char *other = starter_stranger(g->project->root, lab, task->file);
    outcome_hint(&result->outcome, "%s", "");
    if (other)
        outcome_hint(&result->outcome,
                     "labs/%s/%s belongs to no task: if it is this one's, its name is to be %s",
                     lab, other, task->file);
    free(other);
}
