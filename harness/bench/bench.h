/* hpclab bench LAB: tables and pictures of a lab's variants on this machine. */
#ifndef HPC_HARNESS_BENCH_BENCH_H
#define HPC_HARNESS_BENCH_BENCH_H

#include "common/options.h"
#include "harness/lab/project.h"

int verb_bench(struct project *p, int argc, char **argv);
extern const struct option_table bench_options;

#endif
