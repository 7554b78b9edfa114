/* One case on one runner, right or not: grading, its sanitizers, its checker. */
#ifndef HPC_HARNESS_TRIAL_TRY_H
#define HPC_HARNESS_TRIAL_TRY_H

#include "harness/trial/runner.h"

/* One case on one runner: `calls` calls, each checked in full. */
struct case_try {
    const struct lab_task *task;
    const struct lab_case *c;
    const struct build_result *built;
    uint64_t seed;
    int calls;
    bool keep_output; /* else `output` stays NULL */

    struct outcome outcome; /* and why, when it is not right */
    char key[24];           /* of the device's reports, with a checker's runner */
    char *output;           /* all that the runner printed; the caller frees it */
    double elements;        /* of all outputs */
};
/* True when right and, under a sanitizer, safe. */
bool try_case(struct case_try *t);

/* The limits of a runner under the device's checker, from those of a runner under a sanitizer: room
 * for its reports. */
struct jail_limits checker_limits(struct jail_limits limits);

#endif
