/* Grading one task: build, needs, cases, safety, speed. */
#ifndef HPC_HARNESS_GRADE_TASK_H
#define HPC_HARNESS_GRADE_TASK_H

#include "harness/manifest.h"
#include "harness/record.h"

struct grading {
    const char *root, *implementation; /* "student", "reference" */
    const struct lab *lab;
    uint64_t seed;
    bool quick; /* fewer pairs, no sanitizers: a look, not a score to rely on */
};

/* Never fails: whatever happens is a verdict with a reason of one line. */
void grade_task(const struct grading *g, const struct lab_task *task, struct task_result *result);

/* Points that a task can give at most. */
double task_points(const struct lab_task *task);

/* One case on one runner: `calls` calls, each checked in full. True when right; else verdict,
 * reason, hint are filled. Used for correctness and, with a sanitizer's runner, for safety. */
struct build_result;
bool try_case(const struct lab_task *task, const struct lab_case *c,
              const struct build_result *built, uint64_t seed, int calls, enum verdict *verdict,
              char *reason, int reason_size, char *hint, int hint_size);

#endif
