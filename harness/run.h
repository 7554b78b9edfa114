/* What `hpclab run` is asked to do: its options, and the variant and problem that they name. */
#ifndef HPC_HARNESS_RUN_H
#define HPC_HARNESS_RUN_H

#include "harness/manifest.h"

struct run_options {
    const char *name, *implementation, *case_name, *safety;
    int threads, calls;
    uint64_t seed, call; /* the first call's number */
    struct hpc_params words;
};

/* A task of a lab (task set), or a variant of the catalogue. */
struct run_target {
    struct lab *lab; /* the task's, or the case's; loaded by run_find */
    const struct lab_task *task;
    struct variant variant;
    const struct hpc_op *op;
    int threads;
    struct jail_limits limits;
    const char *whose;
};

/* 1: go on; 0: help was asked for; -1: err. */
int run_read_options(int argc, char **argv, struct run_options *o, struct hpc_error *err);
/* Find what the options name, and the problem: the operation's example or a lab's case, changed by
 * the words KEY=VALUE. t->lab comes zeroed from the caller. */
bool run_find(const char *root, const struct run_options *o, struct run_target *t,
              struct lab_case *c, struct hpc_error *err);

#endif
