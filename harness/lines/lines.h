/* Where a lab's solutions spend their time, line by line, or of CUDA what their kernels move. */
#ifndef HPC_HARNESS_LINES_LINES_H
#define HPC_HARNESS_LINES_LINES_H

#include "harness/lab/project.h"

/* Each variant task of the project's lab, or the one named `only`, as the student's file has it: in
 * C its runner is stopped at random moments in `rounds` runs of some seconds, in CUDA the CPU
 * device counts its traffic. To stdout, and as TASK.csv, TASK.svg and TASK.txt into
 * results/LAB/profile/. False with *err where nothing of that could be done. */
bool lines_of_lab(struct project *p, const char *only, int rounds, struct hpc_error *err);

#endif
