/* Which of two cases takes less work. */
#include "harness/grade/internal.h"
#include "harness/lab/case.h"

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
