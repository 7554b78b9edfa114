/* What a timed solution in C was seen to do, in numbers. */
#include <stdio.h>

#include "harness/grade/internal.h"
#include "harness/lab/case.h"
#include "harness/machine/copy.h"

void grade_count_function(const struct exchange_profile *p, struct task_counters *c)
{
    int most = 0, all = 0; /* in the solution: its runner's own samples are not its time */
    for (int i = 0; i < p->n_functions; i++) {
        const struct exchange_function *f = &p->function[i];
        const int own = f->ran + f->called + f->waited;
        all += own;
        if (own <= most)
            continue;
        most = own;
        snprintf(c->function, sizeof c->function, "%s", f->name);
    }
    c->share = all ? (double)most / all : 0;
}

void grade_count_copy(const struct grading *g, const struct trial *t, struct task_speed *s)
{
    const struct lab_case *c = &g->project->lab->cases[t->task->speed_case];
    struct ready_case ready;
    struct hpc_cost cost;
    struct hpc_error err;
    if (!case_ready(c, g->seed, t->threads, &ready, &err))
        return;
    c->op->cost(ready.problem, &cost);
    s->counters.copy = cost.bytes / copy_rate(t->threads, true) / s->student_s;
}
