/* A case made ready: ranges drawn, problem parsed, its own seed. */
#ifndef HPC_HARNESS_LAB_CASE_H
#define HPC_HARNESS_LAB_CASE_H

#include "harness/lab/lab.h"

struct ready_case {
    struct hpc_params params; /* ranges resolved */
    uint64_t seed;            /* of this case's inputs: from the grading's seed and its name */
    unsigned char problem[HPC_MAX_PROBLEM] __attribute__((aligned(16)));
};

/* Set a key of the case, as a person wrote it at `where`; false with a line that names the keys
 * that there are where it is `threads`, which case_ready sets. */
bool case_set(struct lab_case *c, const char *key, const char *value, const char *where,
              struct hpc_error *err);

/* `threads` is what `replicas = threads` means. The same seed and name give the same case. */
bool case_ready(const struct lab_case *c, uint64_t seed, int threads, struct ready_case *ready,
                struct hpc_error *err);

/* case_ready under the first of seed, seed + 1, .. whose draw hpc_op.admit takes; false, with what
 * it says of the last one, after HPC_REDRAWS + 1 of them. Cost: two oracles a draw. */
bool case_draw(const struct lab_case *c, uint64_t seed, int threads, struct ready_case *ready,
               struct hpc_error *err);

/* Threads that a task's runner gets on this machine: all cores, or the task's number. */
int task_threads(const struct lab_task *task);
/* Whether it has several, though this machine had one core. */
bool task_threaded(const struct lab_task *task);

/* Whether this machine has all that `needs` of a task or variant names; else the first lack. */
bool needs_met(const char *needs, char *why, int why_size);

#endif
