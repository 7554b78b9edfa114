/* What the last gradings of a lab's tasks came to, and how that is shown. */
#ifndef HPC_HARNESS_WATCH_RESULTS_H
#define HPC_HARNESS_WATCH_RESULTS_H

#include "harness/lab/lab.h"

#define RESULTS_KEPT 10

struct results {
    int n;
    char *line[RESULTS_KEPT], *why[RESULTS_KEPT]; /* the oldest first */
};

/* Add what the record at `path` says of `task`; where none can be read, the text `instead`. */
void results_add(struct results *r, const char *path, const struct lab_task *task,
                 const char *instead);
/* Print the last one; or, where `all`, all of them below one another. */
void results_print(const struct results *r, bool all);
void results_clear(struct results *r);

#endif
