/* hpclab report LAB: what there is of a lab, as one page. */
#ifndef HPC_HARNESS_REPORT_REPORT_H
#define HPC_HARNESS_REPORT_REPORT_H

#include "common/options.h"
#include "harness/lab/project.h"

int verb_report(struct project *p, int argc, char **argv);
extern const struct option_table report_options;

#endif
