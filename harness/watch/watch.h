/* The verb that grades a task anew whenever its file is saved. */
#ifndef HPC_HARNESS_WATCH_WATCH_H
#define HPC_HARNESS_WATCH_WATCH_H

#include "common/options.h"
#include "harness/lab/project.h"

int verb_watch(struct project *p, int argc, char **argv); /* watch [labN] */
extern const struct option_table watch_options;

#endif
