/* What the last gradings of a lab's tasks came to, and how that is shown. */
#ifndef HPC_HARNESS_WATCH_RESULTS_H
#define HPC_HARNESS_WATCH_RESULTS_H

#include "harness/lab/lab.h"
#include "harness/record/record.h"

#define RESULTS_KEPT 10

struct result {
    char task[LAB_NAME];
    bool graded;
    enum verdict verdict;
    int passed, cases;
    struct task_speed speed; /* its ratio and target; 0: not timed */
    double points;
    char *line, *why;
};
struct results {
    int n;
    struct result result[RESULTS_KEPT]; /* the oldest first */
};

/* Add what the record at `path` says of `task`, and how that differs from the task's result before;
 * where none can be read, the text `instead`. */
void results_add(struct results *r, const char *path, const struct lab_task *task,
                 const char *instead);
/* Print the last one with its reason; or, where `all`, the lines of all of them before it. */
void results_print(const struct results *r, bool all);
void results_clear(struct results *r);

#endif
