/* What the files of `hpclab release` share. */
#ifndef HPC_HARNESS_VERBS_RELEASE_H
#define HPC_HARNESS_VERBS_RELEASE_H

#include "common/error.h"
#include "harness/lab/lab.h"

/* The files to take from ROOT, one a line, into the file `path`. */
bool release_list(const char *root, const struct lab *lab, bool open, const char *path,
                  struct hpc_error *err);

#endif
