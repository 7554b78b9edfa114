/* hpclab compare A B: two versions of a student's file, in turn on this machine. */
#ifndef HPC_HARNESS_COMPARE_COMPARE_H
#define HPC_HARNESS_COMPARE_COMPARE_H

#include "common/options.h"
#include "harness/lab/project.h"

int verb_compare(struct project *p, int argc, char **argv);
extern const struct option_table compare_options;

#endif
