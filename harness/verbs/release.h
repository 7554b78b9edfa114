/* What the files of `hpclab release` share. */
#ifndef HPC_HARNESS_VERBS_RELEASE_H
#define HPC_HARNESS_VERBS_RELEASE_H

#include "common/error.h"
#include "harness/lab/project.h"

/* The files to take of the project for its lab, one a line, into the file `path`. */
bool release_list(const struct project *project, bool open, const char *path,
                  struct hpc_error *err);

#endif
