/* The gprof exercise: mlp/serial on a net that a student's name draws, built with -O0 -pg,
 * run, and read back from gprof's two tables. serial is the project's own code: no jail. */
#ifndef HPC_HARNESS_PROFILE_PROFILE_H
#define HPC_HARNESS_PROFILE_PROFILE_H

#include "common/error.h"
#include "harness/machine/events.h"
#include "mlp/mlp.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PROFILE_SECTIONS      8
#define PROFILE_MAX_FUNCTIONS 64
#define PROFILE_MAX_EDGES     128
#define PROFILE_STUDENT       64
/* Seconds of samples that gprof shall have. */
#define PROFILE_SECONDS       10.0
#define PROFILE_QUICK_SECONDS 2.0

/* A line of the flat profile. */
struct profile_function {
    char name[48];
    double self_seconds;
    double calls; /* -1 where gprof knows none */
};

/* A line of the call graph: time that `callee` (self) and its callees (children) spend for
 * `caller`. */
struct profile_edge {
    char caller[48], callee[48];
    double self, children, calls;
};

struct profile_table {
    int n; /* in gprof's order, longest first */
    struct profile_function f[PROFILE_MAX_FUNCTIONS];
    double seconds; /* of all functions, those beyond the first n too: what gprof sees */
};

struct profile {
    double wanted; /* seconds of samples */
    char student[PROFILE_STUDENT];
    struct mlp_problem problem; /* the net; epochs are those of one run */
    uint64_t seed;              /* of the data */
    int runs;                   /* that gprof -s added up */
    double epochs;              /* of all runs together */
    double cpu_seconds;         /* of all runs together, user and system */
    struct event_counts events; /* of all runs */
    struct profile_table flat;
    int n_edges;
    struct profile_edge edge[PROFILE_MAX_EDGES];
    double section_seconds[PROFILE_SECTIONS]; /* of back_propagation, from a build with timers */
    bool has_whole;                           /* false where there is no static C library */
    struct profile_table whole; /* the same program linked statically, so that gprof sees all */
};

extern const char *const profile_section_names[PROFILE_SECTIONS];

/* Where time goes that gprof does not see. */
enum profile_place {
    PROFILE_ALLOCATOR,
    PROFILE_MATH,
    PROFILE_PROFILER,
    PROFILE_OTHER,
    PROFILE_PLACES
};
extern const char *const profile_place_names[PROFILE_PLACES];

/* A name of printable characters, not empty, not too long; else *err says what is off. */
bool profile_name_good(const char *student, struct hpc_error *err);
/* The net and the seed that a name draws, and another one under each term's key (or none, ""): 3
 * hidden layers of 3 to 9 units with softmax, relu and tanh in some order, one sigmoid unit, 600 to
 * 1500 samples. Case and outer blanks don't count. */
void profile_draw(const char *student, const char *term, struct mlp_problem *problem,
                  uint64_t *seed);

/* Build the programs in `folder` (absolute; made when it is missing) and find out how long a run of
 * theirs takes, for a profile of `seconds` of samples. */
bool profile_prepare(const char *root, const char *student, const char *term, double seconds,
                     const char *folder, struct profile *p, struct hpc_error *err);
/* Run until gprof has seen that many, read. Writes flat.txt, graph.txt, sections.txt and whole.txt
 * into the same folder. May be done again: the next profile has nothing of the one before. */
bool profile_take(const char *folder, struct profile *p, struct hpc_error *err);

/* Read the output of `gprof -b -p` and of `gprof -b -q`. False when there is no table in it. */
bool profile_read_flat(const char *text, struct profile_table *table);
int profile_read_graph(const char *text, struct profile_edge *edge, int max);

const struct profile_function *profile_function(const struct profile_table *t, const char *name);
/* Percent of what gprof sees; 0 for a function that is not there. */
double profile_share(const struct profile_table *t, const char *name);
/* Percent of the processes' time that gprof does not see. */
double profile_unseen(const struct profile *p);
/* Percent of the statically linked program's time that functions at a place take, those of the
 * program itself left out; and the place of a library's function. */
double profile_place_share(const struct profile *p, enum profile_place place);
enum profile_place profile_place(const char *function);
/* Percent of back_propagation's total time (its own and its callees') that it spends in `callee`
 * and what that calls. */
double profile_callee_share(const struct profile *p, const char *caller, const char *callee);

/* facts.json, and the picture and the graph of calls where gnuplot and graphviz are; `note` (may be
 * long) gets a line for each that was written or could not be. */
bool profile_report(const struct profile *p, const char *folder, char *note, int note_size,
                    struct hpc_error *err);
/* To stdout: the top of the table, sections, what is not seen. */
void profile_print(const struct profile *p);

#ifdef __cplusplus
}
#endif
#endif
