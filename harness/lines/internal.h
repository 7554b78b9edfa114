/* A line's samples, for the files of harness/lines. */
#ifndef HPC_HARNESS_LINES_INTERNAL_H
#define HPC_HARNESS_LINES_INTERNAL_H

#include "common/text.h"
#include "harness/trial/trial.h"
#include "harness/view/view.h"

#define LINES_MOST  64
#define LINES_SHOWN 12
#define LINES_TEXT  90

struct line {
    int number;
    int ran, called, waited; /* samples */
    char text[LINES_TEXT];   /* the student's words */
};

/* Samples in `callee`, and in what it calls, while `caller` waits for it. */
struct function_edge {
    char caller[48], callee[48];
    int samples;
};

/* All samples of a task. */
struct lines {
    int looks, samples, n;
    struct event_counts events;
    double running; /* threads that did not sleep, summed over rounds */
    int rounds, ranks;
    struct line line[LINES_MOST]; /* the most frequent first */
    int n_functions, n_edges;
    struct exchange_function function[EXCHANGE_FUNCTIONS]; /* most of their own first, sorted */
    struct function_edge edge[EXCHANGE_EDGES];
};

/* CSV, picture and its sentence, NAME.csv, NAME.svg, NAME.txt. */
bool lines_write(const struct lines *l, const char *folder, const char *name,
                 struct hpc_error *err);

/* calls.c. The same function by function: a round's samples added, all sorted, to stdout, and as
 * NAME-calls.dot, .svg where graphviz is, and its sentence, .txt. */
void calls_add(struct lines *l, const struct exchange_profile *p);
void calls_sort(struct lines *l);
void calls_print(const struct lines *l);
bool calls_write(const struct lines *l, const char *folder, const char *name,
                 struct hpc_error *err);

/* A text into FOLDER/NAME.ENDING. */
bool lines_write_text(const char *folder, const char *name, const char *ending,
                      const struct text *t, struct hpc_error *err);

/* A task in CUDA: traffic by kernel, by line and, of the dearest requests, lane by lane; to stdout,
 * and the checker's lines as FOLDER/TASK.jsonl. */
bool lines_count(struct project *p, const struct lab_task *task, const char *folder,
                 struct hpc_error *err);
/* FOLDER/TASK-lanes.svg and .txt: the dearest requests; removed where there are none. */
bool lines_draw_lanes(const struct view *v, const char *folder, const char *name,
                      struct hpc_error *err);

/* nsight.c. A launch of a kernel, by Nsight Compute's counters; those it has not: -1. */
enum nsight_metric {
    NSIGHT_NS,
    NSIGHT_ARITHMETIC, /* percent of a peak, as the next two */
    NSIGHT_MEMORY,
    NSIGHT_DRAM,
    NSIGHT_BYTES,   /* from and to device memory */
    NSIGHT_L1_HITS, /* percent of sectors */
    NSIGHT_L2_HITS,
    NSIGHT_WARPS, /* percent of those that a multiprocessor holds: that were there, could be */
    NSIGHT_MOST_WARPS,
    NSIGHT_REGISTERS,    /* of a thread */
    NSIGHT_BY_REGISTERS, /* blocks of a multiprocessor, by each of its limits */
    NSIGHT_BY_SHARED,
    NSIGHT_BY_WARPS,
    NSIGHT_METRICS
};
#define NSIGHT_MOST 64
struct nsight_kernel {
    int id;
    char name[80];
    double value[NSIGHT_METRICS];
};
/* Launches of a report, `ncu --csv`, `most` at most; and three sentences of each of those that
 * take longest. */
int nsight_read(const char *text, struct nsight_kernel *kernel, int most);
void nsight_say(struct nsight_kernel *kernel, int n, struct text *t);
/* A task in CUDA on the GPU: one call of a case, to stdout, the counters as
 * FOLDER/TASK-nsight.csv. False with *err where there is no Nsight Compute, or it may not look. */
bool lines_nsight(struct project *p, const struct lab_task *task, const struct lab_case *c,
                  const char *folder, struct hpc_error *err);

#endif
