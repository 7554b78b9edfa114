/* A task under trial. Grading and `hpclab reference` ask the same few questions of it.
 *
 * Interface: trial_open says whose solution it is; trial_runner builds each kind of runner when it
 * is first asked for, at most once; all others take their runner from there, and say with an
 * outcome what it came to. A runner that can't be built is an outcome too. */
#ifndef HPC_HARNESS_TRIAL_TRIAL_H
#define HPC_HARNESS_TRIAL_TRIAL_H

#include "harness/measure/pairs.h"
#include "harness/record/record.h"
#include "harness/trial/checker_report.h"
#include "harness/trial/try.h"

struct trial {
    const struct project *project;
    const struct lab_task *task;
    const char *whose; /* "student", "reference", or a variant of the catalogue: "mlp/flat" */
    struct build_result built[BUILD_KINDS];
    bool tried[BUILD_KINDS];
};

/* What is asked of trial_timing; threshold and capacity as in measure_spec. */
struct timing_spec {
    const char *label; /* for progress */
    uint64_t seed;
    double threshold, capacity;
    int pairs;
    bool quick, trusted;
};

/* The project, and task, a variant task of its lab, are the caller's, and outlive it; of a variant
 * of the catalogue task may be NULL, and then trial_runner is all that there is. Nothing is built
 * yet.
 */
struct trial *trial_open(const struct project *project, const struct lab_task *task,
                         const char *whose);
void trial_close(struct trial *t);

/* The runner of a kind. Where it can't be built its outcome says why, and is no PASS. */
const struct build_result *trial_runner(struct trial *t, enum build_kind kind);

/* One case: every element of two calls, of one under a sanitizer or the checker. True when right
 * and, by what the kind looks for, safe. */
bool trial_case(struct trial *t, enum build_kind kind, const struct lab_case *c, uint64_t seed,
                struct outcome *o);
/* The same under the CPU device's checker, with what it reports; faults go to `list` too, which may
 * be NULL. */
bool trial_check(struct trial *t, const struct lab_case *c, uint64_t seed, FILE *list,
                 struct checker_reports *reports, struct outcome *o);
/* Traffic of one case by the checker's model. True when the runner came to its end. */
bool trial_traffic(struct trial *t, const struct lab_case *c, uint64_t seed,
                   struct task_traffic *traffic, struct outcome *o);
/* The speed case against the task's baseline or, where target_copy is set, a copy. */
void trial_timing(struct trial *t, const struct timing_spec *timing, struct measure_result *m);
/* After a failure on the GPU: whether it takes the inputs of the task's first case and runs a
 * kernel of ours, in a process of its own; else *o says what became of that. True where it can't be
 * tried. */
bool trial_gpu_works(struct trial *t, uint64_t seed, struct outcome *o);

#endif
