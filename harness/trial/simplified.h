/* What a search for the smallest case that fails has found (simplify.h). */
#ifndef HPC_HARNESS_TRIAL_SIMPLIFIED_H
#define HPC_HARNESS_TRIAL_SIMPLIFIED_H

#include "common/params.h"

/* In `calls`: it begins so where memory that nobody has set is read, and ends so where it may be.
 */
#define TRIAL_UNSET  "reads what "
#define TRIAL_VARIES ": threads that race, or memory that is read before it is written"

struct simplified {
    char calls[300];        /* "right in the first call, wrong in the second: .."; may be empty */
    char facts[400];        /* "right with samples = 1, wrong with samples = 2; .."; may be empty */
    char part[300];         /* which part of the method is wrong; may be empty */
    struct hpc_params left; /* the keys of the smallest case that fails */
    int changed;            /* how many of them are not as the case has them */
    int tries;              /* calls of the solution that this took */
};

#endif
