/* A grading under way: whose solutions, on what, and how closely they are looked at. */
#ifndef HPC_HARNESS_GRADE_GRADING_H
#define HPC_HARNESS_GRADE_GRADING_H

#include "harness/lab/project.h"
#include "harness/machine/turn.h"
#include "harness/record/record.h"

struct grading {
    const struct project *project;
    const char *implementation; /* "student", "reference" */
    uint64_t seed;
    enum hpc_place device; /* of tasks in CUDA */
    bool quick; /* fewer pairs, sanitizers for a moment: a look, not a score to rely on */
    const struct turn *turn; /* others grade beside it, and timings wait for theirs; or NULL */
    bool looks;       /* at each timed task in C: where its time goes, and what memory could do */
    bool pictures;    /* of wrong outputs, for a screen */
    bool untimed;     /* no points for speed: whether it is right, no more */
    const char *kept; /* the folder that keeps versions of answers, or NULL */
    bool handed_in;   /* answers count as they are */
    const char *student; /* who handed in, as the course knows; NULL: it did not say */
};

#endif
