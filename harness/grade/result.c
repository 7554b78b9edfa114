/* What waits, and the command that repeats what a grading saw. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "harness/grade/internal.h"

void result_reproduce(const struct grading *g, const struct lab_task *task,
                      const struct lab_case *c, const char *option, struct task_result *result)
{
    snprintf(result->reproduce, sizeof result->reproduce,
             "./hpclab run %s/%s --impl %s --case %s --seed %llu%s", g->project->lab->name,
             task->name, g->implementation, c->name, (unsigned long long)g->seed, option);
}

void result_again(const struct lab *lab, const char *submission, uint64_t seed,
                  struct task_result *t)
{
    if (!t->reproduce[0])
        return;
    char *from = command_quoted(submission);
    char *again = hpc_printf("./grade %s --from %s --only %s --seed %llu", lab->name, from, t->name,
                             (unsigned long long)seed);
    const bool whole = strlen(again) < sizeof t->reproduce; /* half a quoted word is another one */
    snprintf(t->reproduce, sizeof t->reproduce, "%s", whole ? again : "");
    hpc_harmless(t->reproduce);
    free(again);
    free(from);
}

const char *result_elsewhere(const struct lab_case *seen, const struct lab_case *failing,
                             char *text, size_t size)
{
    text[0] = '\0';
    if (seen && failing && strcmp(seen->name, failing->name) != 0)
        snprintf(text, size, " (in %s%s)", seen->hidden ? "another case" : "case ",
                 seen->hidden ? "" : seen->name);
    return text;
}

void result_skip(const struct lab_task *task, struct task_result *t)
{
    snprintf(t->name, sizeof t->name, "%s", task->name);
    snprintf(t->title, sizeof t->title, "%s", task->title);
    outcome_set(&t->outcome, VERDICT_SKIPPED, "not selected by --only");
}

void result_waits(const struct lab_task *task, double points, struct task_result *result)
{
    if (task->bonus) /* none of the lab's 100 */
        return;
    result->pending += points;
    result->max_points -= points;
}
