/* What `hpclab run` is asked to do: its options, and the variant and problem that they name. */
#ifndef HPC_HARNESS_VERBS_RUN_WORDS_H
#define HPC_HARNESS_VERBS_RUN_WORDS_H

#include "harness/lab/case.h"
#include "harness/lab/project.h"

struct run_options {
    const char *name, *implementation, *case_name, *safety, *device, *dump;
    int threads, calls;
    bool plain, debug, gdb;
    uint64_t seed, call; /* the first call's number */
    struct hpc_params words;
};

/* A task of a lab (task set), or a variant of the catalogue. */
struct run_target {
    const struct lab_task *task; /* of the project's lab */
    const struct variant *variant;
    const struct hpc_op *op;
    const char *whose;
};

/* 1: go on; 0: help was printed; -1: err. */
int run_read_options(int argc, char **argv, struct run_options *o, struct hpc_error *err);
/* Find what the options name, and the problem: the operation's example or a lab's case, changed by
 * the words KEY=VALUE. */
bool run_find(struct project *p, const struct run_options *o, struct run_target *t,
              struct lab_case *c, struct hpc_error *err);

/* What the device's checker printed: its reports and the traffic of each kernel, to stdout. Returns
 * how many faults there are. `outputs`: elements of all outputs, of one call. */
int run_print_reports(const char *output, const char *key, double outputs);

#endif
