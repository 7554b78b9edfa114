/* How fast a student's runner is against a baseline's: a fixed number of pairs of blocks in an
 * order drawn at random, one process a block, the parent's clock; and whether the machine was
 * quiet enough to say so. */
#ifndef HPC_HARNESS_MEASURE_PAIRS_H
#define HPC_HARNESS_MEASURE_PAIRS_H

#include "harness/exchange/exchange.h"
#include "harness/record/record.h"

#define MEASURE_MAX_PAIRS 60

struct measure_runner {
    const char *path;
    struct hpc_env env;
    struct jail_limits limits;
    enum hpc_place device;
    const void *problem; /* the baseline's may differ: lab4 compares times to the same error */
    const struct hpc_term *term;  /* as in exchange_spec */
    const char *const *extra_env; /* the same */
};

struct measure_spec {
    const struct hpc_op *op;
    uint64_t seed;
    struct measure_runner student, baseline;
    int pairs;        /* of the first round; extensions are of as many */
    int calls;        /* a block; 0: chosen from the baseline's time */
    double threshold; /* the full-marks ratio: an interval that holds it is extended; 0: none */
    bool quick;       /* shorter blocks, no extension */
    bool watched;     /* look between calls at what the processors give the student's threads */
    double capacity;  /* that is known of this machine, as in measure_result; or 0 */
    bool check;       /* check the student's outputs (off for baseline against baseline) */
    bool copy;        /* the baseline is a device's copy of as many bytes: its outputs mean nothing,
                         and the ratio is the student's share of its speed */
    bool trusted;     /* the machine's noise is a reason, no verdict: a reference's own timing; with
                         `calls` given, the baseline is not timed alone first */
    const char *label; /* for progress */
};

struct measure_result {
    struct outcome outcome;        /* PASS, NOISY, IMPOSSIBLE or what a call ended with */
    struct task_speed speed;       /* .measured where the ratio stands */
    double spread;                 /* interquartile range over median of the ratios */
    double noise;                  /* baseline against baseline: |1 - ratio| */
    struct stats_interval against; /* that ratio, over neighbouring pairs */
    double scatter; /* width of the interval of the baseline's median time, as a share of it */
    double others;  /* processors that other programs kept busy meanwhile */
    double
        capacity; /* of the processors when quiet (harness/machine/capacity.h); 0: not looked at */
    bool unsettled; /* most times it was less, so that too few pairs were left */
    uint64_t call;  /* that failed, where the verdict is a fault of the student's */
    int n;
    double student[MEASURE_MAX_PAIRS], baseline[MEASURE_MAX_PAIRS]; /* block medians, seconds */
};

void measure_pairs(const struct measure_spec *spec, struct measure_result *result);

/* Processors that others had and the student's threads wanted: see noise_limits.contended. */
double measure_contended(const struct measure_result *result, int threads);

/* Seconds that the problem takes at least: its FLOPs at the FMA peak measured on this machine now,
 * with `threads` threads; 0 where the cost is unknown. And the time below which a result is
 * `impossible`: the same at specification peaks that no processor of this kind exceeds; of a
 * `device`, its bytes at a rate that no GPU's memory has. */
double measure_floor(const struct hpc_cost *cost, const struct hpc_layout *layout, int threads);
double measure_impossible(const struct hpc_cost *cost, const struct hpc_layout *layout, int threads,
                          bool device);

#endif
