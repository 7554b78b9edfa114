/* Marking tasks that are answered in words and numbers: an .ini file against what the grader
 * measures itself. Each marker is one function in the table of answers.c. */
#ifndef HPC_HARNESS_ANSWERS_H
#define HPC_HARNESS_ANSWERS_H

#include <stdint.h>

#include "harness/manifest.h"
#include "harness/record.h"

struct marking {
    const char *root, *implementation;
    const struct lab *lab;
    const struct lab_task *task;
    uint64_t seed;
    bool quick;
};

/* Fills result->points, verdict, reason, hint and correctness (cases = questions, passed = those
 * with full marks; first_failure = the first answer that is off, with the reason and tolerance).
 * An answer that is absent or malformed gets 0 and a line that says so; nothing here crashes on
 * any file. */
typedef void marker_function(const struct marking *m, struct task_result *result);

struct marker {
    const char *name;
    marker_function *mark;
};
extern const struct marker markers[]; /* ended by {NULL, NULL} */

marker_function mark_profile;    /* lab1: answers.ini against the grader's own gprof profile */
marker_function mark_break_even; /* lab3: prediction.ini against a measured crossing */

#endif
