/* A measurement under way: pairs.c takes it, noise.c says what it is worth. */
#ifndef HPC_HARNESS_MEASURE_INTERNAL_H
#define HPC_HARNESS_MEASURE_INTERNAL_H

#include "common/random.h"
#include "harness/machine/busy.h"
#include "harness/measure/pairs.h"

#define MEASURE_CALLS   25 /* of a block, at most */
#define MEASURE_SAMPLES (MEASURE_MAX_PAIRS * MEASURE_CALLS)
#define MEASURE_CHECKED 8 /* timed calls that are checked in full, or all; more as time allows */

/* A timed call of the student's whose outputs are kept. */
struct measure_sample {
    uint64_t call;
    double seconds;
    bool decides; /* its time was its block's */
    void *out[HPC_MAX_ARRAYS];
};

/* The calls of one process, and what the processors gave before and after each. */
struct measure_block {
    int n;
    double seconds[MEASURE_CALLS];
    double look[MEASURE_CALLS + 1]; /* capacity_look; 0: none was taken */
};

struct measure_session {
    const struct measure_spec *spec;
    struct measure_result *result;
    struct hpc_layout layout;
    struct hpc_random random;
    uint64_t call;   /* the next call's number; each is used once */
    int calls_of[2]; /* a block: the baseline's, the student's */
    long seen;       /* student's calls so far */
    struct measure_sample *sample;
    int n_samples, samples_before; /* the last block's are behind those */
    size_t kept_bytes;             /* that samples may take between blocks; 0: samples.c's own */
    int pairs;                     /* taken; those that count are in the result */
    struct measure_block block[2][MEASURE_MAX_PAIRS]; /* the baseline's, the student's */
    bool waits_unknown; /* of some call it is not known how long others had its processor */
    bool hopeless;      /* far slower than the baseline: the timing has ended early */
    double alone; /* seconds of the baseline before anything of the student's ran; 0: not known */
    double wall, cpu;       /* of the student's calls */
    struct busy_total busy; /* of the last round, while nothing of the student's lived */
};

/* samples.c. One call of the student's; the end of its block; and all that are kept, in the order
 * in which they are to be looked at: first those that decide, the fastest of them first. */
void samples_take(struct measure_session *s, uint64_t call, double seconds,
                  const void *const out[]);
void samples_end_block(struct measure_session *s);
void samples_order(struct measure_session *s, int *order);
void samples_free(struct measure_session *s);

/* Whether the task is one of a single thread, on the host. */
bool measure_alone(const struct measure_spec *spec);
/* The seconds that a call counts. On several processors at once no single thread saves time: it
 * counts what all have used together. Of more threads the kernel counts by its ticks, too coarsely
 * for a call. While others had its processor it did nothing: that is taken off, but all that its
 * threads have used stays, so that none of them makes another wait to its profit. */
double measure_counted(struct measure_session *s, const struct exchange_call *call);
/* The median of n call times, as a block's figure. */
double measure_middle(const double *times, int n);
/* The pairs that count into the result: where the processors were disturbed around a call, it does
 * not, and a pair counts where enough calls of both blocks do. Where too few pairs do, all count,
 * and the result is `unsettled`. */
void measure_settle(struct measure_session *s);

/* Other programs' load during a block. Only the baseline's tell of it: the kernel counts by its
 * ticks, and a student's thread that runs across each of them would pass for a whole program. */
void measure_load(struct measure_session *s, bool student, const struct busy *from,
                  const struct busy *to);

/* The ratio over all pairs so far, its interval, and the noise. */
void measure_evaluate(struct measure_session *s);
/* Whether another round might say more: a second one where the interval is wide or holds the
 * threshold; further ones while the result is unsettled or the machine noisy. */
bool measure_wants_extension(const struct measure_session *s, int rounds);
/* Whether the first pairs all say that there is nothing to win: then they are all. */
bool measure_hopeless(const struct measure_session *s);
/* The verdict of a measurement that went to its end. */
void measure_judge(struct measure_session *s);

#endif
