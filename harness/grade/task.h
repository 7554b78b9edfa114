/* Grading one task: build, needs, cases, safety, traffic, speed. */
#ifndef HPC_HARNESS_GRADE_TASK_H
#define HPC_HARNESS_GRADE_TASK_H

#include "harness/lab/project.h"
#include "harness/record/record.h"

struct grading {
    const struct project *project;
    const char *implementation; /* "student", "reference" */
    uint64_t seed;
    enum hpc_place device; /* of tasks in CUDA */
    bool quick;            /* fewer pairs, no sanitizers: a look, not a score to rely on */
    const char *kept;      /* the folder that keeps versions of answers, or NULL */
    bool handed_in;        /* answers count as they are */
};

/* Never fails: whatever happens is a verdict with a reason of one line. */
void grade_task(const struct grading *g, const struct lab_task *task, struct task_result *result);

#endif
