/* Labs, tasks, cases and variants as tables for scripts: one row a line, columns parted by tabs, as
 * docs/commands.md lists them. What a key has by default is filled in. */
#ifndef HPC_HARNESS_LAB_COLUMNS_H
#define HPC_HARNESS_LAB_COLUMNS_H

#include <stdio.h>

#include "harness/lab/project.h"

enum columns_of { COLUMNS_LABS, COLUMNS_TASKS, COLUMNS_CASES, COLUMNS_VARIANTS };

/* Print to f the columns of all labs; of the tasks or cases of the lab `name`; or of the variants
 * at hand, of `name` alone ("mlp/flat") where it is not NULL. `chosen`: the names of some columns,
 * parted by commas, whose values are printed alone; NULL: all, below a line of their names. */
bool columns_print(FILE *f, struct project *p, enum columns_of of, const char *name,
                   const char *chosen, struct hpc_error *err);

#endif
