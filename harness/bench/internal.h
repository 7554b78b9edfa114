/* What the files of harness/bench share: who is timed, what a timing gave, a table, a picture. */
#ifndef HPC_HARNESS_BENCH_INTERNAL_H
#define HPC_HARNESS_BENCH_INTERNAL_H

#include <stdio.h>

#include "common/stats.h"
#include "harness/trial/trial.h"

#define BENCH_NAME 64
#define BENCH_MOST (3 * LAB_MAX_TASKS)

/* A variant of a task: the student's file, the baseline, or the reference. */
struct contestant {
    char name[BENCH_NAME]; /* "flat, yours", "mlp/flat, baseline" */
    const struct lab_task *task;
    struct trial *trial;
    bool yours;   /* a student's file */
    bool checked; /* whether its outputs are compared, too */
};

#define BENCH_SERIES 64
/* A CSV file, each line of which is on disk once it is written; and where it lies. */
struct bench {
    struct project *project;
    enum hpc_place device; /* of the lab's CUDA tasks */
    char *folder;          /* results/LAB/bench */
    uint64_t seed;
    bool quick;
    int n;
    struct contestant who[BENCH_MOST];
    int made; /* pictures */
    bool no_gnuplot;
    char *series[BENCH_SERIES]; /* drawn so far: the order of their colours */
    int n_series;
};

/* Seconds of a call of the case with so many threads: the median of some calls in one process, with
 * its interval. False with a line on stdout where it does not come to its end. */
bool bench_time(struct bench *b, const struct contestant *w, const struct lab_case *c, int threads,
                struct stats_interval *seconds);
/* Whether a call of the case is right. True where the machine can't tell. */
bool bench_right(struct bench *b, const struct contestant *w, const struct lab_case *c);
/* Create FOLDER/NAME.csv with its first line; NULL with *err. */
FILE *bench_table(const struct bench *b, const char *name, const char *head, struct hpc_error *err);
/* A copy of a case with a key set; false where the operation takes it not. */
bool bench_case(const struct bench *b, const struct lab_case *from, const char *key,
                const char *value, int threads, struct lab_case *c);
/* The number that a key of a case has, drawn by the seed; 0: none. */
double bench_value(const struct bench *b, const struct lab_case *c, const char *key);
/* The case that the task is timed on, or of a .cu without a GPU, counted on; else that whose work
 * several threads do; NULL: none. */
const struct lab_case *bench_usual(const struct bench *b, const struct lab_task *task);
/* Whether times of the task's variants say something here. */
bool bench_timed(const struct bench *b, const struct lab_task *task);

/* A picture: curves, each of the points of one name, in their order. */
struct plot_point {
    char series[BENCH_NAME + 40];
    double x, y, low, high; /* low == high: no interval is drawn */
    int colour;             /* of its series, in every picture; filled by plot_draw */
    bool model;             /* of a law's curve: dashed, below those that were measured */
};
struct plot {
    const char *name, *title, *x, *y;
    const char *at, *value; /* a point's x and y in the sentence, with units: "@ threads", "@x" */
    bool log_x, log_y;
    char alt[500]; /* the picture in a sentence, filled by plot_draw where it is empty */
    int n, room;
    struct plot_point *point;
};
void plot_add(struct plot *p, const char *series, double x, double y, double low, double high);
void plot_add_model(struct plot *p, const char *series, double x, double y);
/* NAME.gp, and by gnuplot NAME.svg and NAME.png; NAME.txt: the sentence. Frees the points. */
void plot_draw(struct bench *b, struct plot *p);

/* Nanoseconds of a load that waits for the one before it, from `kib` KiB in random order. */
double ceiling_latency(size_t kib);

/* The tables and pictures, one after another. False with *err where a file can't be written. */
bool bench_staircase(struct bench *b, struct hpc_error *err);
bool bench_sizes(struct bench *b, struct hpc_error *err);
bool bench_threads(struct bench *b, struct hpc_error *err);
bool bench_roofline(struct bench *b, struct hpc_error *err);
bool bench_ratios(struct bench *b, struct hpc_error *err);

#endif
