/* The order of cases by their work. */
#include "harness/grade/internal.h"
#include "harness/lab/case.h"

/* FLOP of a case that takes no longer than its runner's start, under a sanitizer too: which of two
 * such is cheaper says nothing of their time, and the lab's first ones tell more than the least. */
static const double small = 1e6;

static double work(const struct lab_task *task, const struct lab_case *c, uint64_t seed)
{
    struct ready_case ready;
    struct hpc_error err;
    struct hpc_cost cost;
    if (!case_ready(c, seed, task_threads(task), &ready, &err))
        return 0;
    c->op->cost(ready.problem, &cost);
    return cost.flops > small ? cost.flops : small;
}

double grade_growth(const struct grading *g, const struct lab_task *task, const struct lab_case *c)
{
    return work(task, c, g->seed) > small ? 4 : 1.5;
}

bool grade_cheaper(const struct lab_task *task, const struct lab_case *a, const struct lab_case *b,
                   uint64_t seed)
{
    const struct lab_case *const cases[2] = {a, b};
    struct hpc_cost cost[2];
    for (int i = 0; i < 2; i++) {
        struct ready_case ready;
        struct hpc_error err;
        if (!case_ready(cases[i], seed, task_threads(task), &ready, &err))
            return false;
        cases[i]->op->cost(ready.problem, &cost[i]);
    }
    return cost[0].flops < cost[1].flops;
}

int grade_order(const struct grading *g, const struct lab_task *task, const int *at, int n,
                const struct lab_case *first, const struct lab_case *cases[])
{
    int placed = 0;
    if (g->quick && first)
        cases[placed++] = first;
    const int begin = placed;
    for (int i = 0; i < n; i++) {
        const struct lab_case *c = &g->project->lab->cases[at[i]];
        int k = placed;
        if (begin && c == first)
            continue;
        for (; g->quick && k > begin && work(task, c, g->seed) < work(task, cases[k - 1], g->seed);
             k--)
            cases[k] = cases[k - 1];
        cases[k] = c;
        placed++;
    }
    return placed;
}
