/* A measurement under way: measure.c takes it, measure_judge.c says what it is worth. */
#ifndef HPC_HARNESS_MEASURE_INTERNAL_H
#define HPC_HARNESS_MEASURE_INTERNAL_H

#include "common/random.h"
#include "harness/busy.h"
#include "harness/measure.h"

#define MEASURE_SAMPLED 3 /* timed calls whose every element is checked */

struct measure_sample {
    uint64_t call;
    void *out[HPC_MAX_ARRAYS];
};

struct measure_session {
    const struct measure_spec *spec;
    struct measure_result *result;
    struct hpc_layout layout;
    struct hpc_random random;
    uint64_t call;   /* the next call's number; each is used once */
    int calls_of[2]; /* a block: the baseline's, the student's */
    long seen;       /* student's calls so far */
    double alone; /* seconds of the baseline before anything of the student's ran; 0: not known */
    double wall, cpu;       /* of the student's calls */
    struct busy begin, end; /* of the last round */
    struct measure_sample sample[MEASURE_SAMPLED];
};

/* The ratio over all pairs so far, its interval, and the noise. */
void measure_evaluate(struct measure_session *s);
/* Whether a second round might say more: the interval is wide or holds the threshold, or the
 * machine was noisy. */
bool measure_wants_extension(const struct measure_session *s);
/* The verdict of a measurement that went to its end. */
void measure_judge(struct measure_session *s);

#endif
