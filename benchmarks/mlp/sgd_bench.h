/* Timing variants of mlp_sgd on the paper's command: shared by sgd.c, sgd_tables.c and
 * sgd_report.c. A contestant is a variant with a problem; a group of them is timed in rounds, each
 * round in an order drawn anew, each timed output checked. */
#ifndef HPC_BENCHMARKS_MLP_SGD_BENCH_H
#define HPC_BENCHMARKS_MLP_SGD_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "benchmarks/mlp/sgd_child.h"
#include "common/stats.h"
#include "mlp/op/op.h"

#define SGD_MAX_ROUNDS      101
#define SGD_MAX_CONTESTANTS 24
#define SGD_EPOCHS          40

/* Samples to train on, and draws of start weights and of the order of samples. */
struct sgd_data {
    char source[200]; /* "banknote_train.csv", or what took its place */
    int samples, columns;
    double *x, *y;
};

struct sgd_contestant {
    char label[40];
    const struct hpc_variant *variant;
    struct mlp_problem p; /* samples and permutations are filled in by sgd_add */
    double rate;          /* of every network */
    int threads;
    double tolerance; /* of |w - reference's w|; < 0: not compared, as replicas go another way */
    double target;    /* of the ratio to contestant `versus`, per network; 0: none */
    int versus;

    /* Filled in by sgd_add and sgd_time. */
    int calls; /* in one timed block, so that it lasts some 10 ms */
    void *in[MLP_N_IN], *out[MLP_N_OUT], *state;
    struct sgd_child *child;        /* where it runs, if it has threads */
    double *checked;                /* network 0's weights as doubles, of the last call */
    double seconds[SGD_MAX_ROUNDS]; /* of one call */
    double worst;                   /* largest |w - reference's w| over all timed blocks */
};

struct sgd_group {
    const char *name;
    const struct sgd_data *data;
    uint64_t seed;
    int n, rounds;
    bool wrong;
    struct sgd_contestant c[SGD_MAX_CONTESTANTS];
};

double sgd_now(void);
const struct hpc_variant *sgd_find(const char *name); /* or NULL */

/* The banknote set where HPC_SHARED_DATA (default ../shared/data) has it, else as many drawn
 * blobs. */
void sgd_load(struct sgd_data *data, uint64_t seed);
/* samples x columns normal numbers and targets of 0 or 1. */
void sgd_draw(struct sgd_data *data, int samples, int columns, uint64_t seed);

/* Add a contestant, open it and give it inputs of its own; false where the variant is absent or
 * refuses, with a line on stderr. The same seed gives all contestants the same numbers. */
bool sgd_add(struct sgd_group *g, const struct sgd_contestant *c);
/* Time all: contestant 0 is the reference of the checks. */
void sgd_time(struct sgd_group *g, int rounds);
void sgd_close(struct sgd_group *g);

/* Median seconds of one call, the spread (cv) over rounds, and the median ratio of `versus`'s time
 * to this one's, per network, with its 95% bootstrap interval over rounds. */
double sgd_median(const struct sgd_contestant *c, int rounds);
double sgd_cv(const struct sgd_contestant *c, int rounds);
struct stats_interval sgd_ratio(const struct sgd_group *g, const struct sgd_contestant *c,
                                int versus);

/* Seconds of one run of `epochs`, in a process of its own; < 0 where the variant refuses. */
double sgd_once(const struct sgd_data *data, const struct sgd_contestant *c, int epochs,
                uint64_t seed);

/* The mean training error after `epochs`, over `draws` draws of weights and order. Runs in this
 * process: no child that uses OpenMP can be started afterwards. */
double sgd_error(const struct sgd_data *data, const struct sgd_contestant *c, int epochs,
                 uint64_t seed, int draws);

/* [Dong]'s net: 4-4-5-5-1, softmax, relu, tanh, sigmoid. */
struct mlp_problem sgd_paper(int type, int networks, int replicas);

/* sgd_tables.c */
bool sgd_effects(FILE *md, FILE *csv, const struct sgd_group *paper, bool quick, uint64_t seed);
bool sgd_table1(FILE *md, FILE *csv, const struct sgd_data *data, uint64_t seed, bool quick);

#endif
