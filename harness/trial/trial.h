/* A task under trial, or a variant of the catalogue. Grading, markers, `hpclab run` and `hpclab
 * reference` ask the same few questions of it.
 *
 * Interface: trial_open says whose solution it is; trial_runner builds each kind of runner when it
 * is first asked for, at most once; all others take their runner from there, and say with an
 * outcome what it came to. A runner that can't be built is an outcome too. */
#ifndef HPC_HARNESS_TRIAL_TRIAL_H
#define HPC_HARNESS_TRIAL_TRIAL_H

#include "harness/lab/project.h"
#include "harness/measure/pairs.h"
#include "harness/record/record.h"
#include "harness/trial/checker_report.h"
#include "harness/trial/try.h"

struct trial {
    const struct project *project;
    const struct lab_task *task; /* or NULL */
    const char *whose; /* "student", "reference", or a variant of the catalogue: "mlp/flat" */
    const struct hpc_op *op;
    int threads;               /* of its runners, as the task has them or this machine; */
    struct jail_limits limits; /* a caller may change both */
    struct build_result built[BUILD_KINDS], baseline, copy;
    bool tried[BUILD_KINDS], tried_baseline, tried_copy;
    bool probed[BUILD_KINDS], works[BUILD_KINDS]; /* sanitizers */
    FILE *reports; /* a caller's: gets the checker's lines as they are, for harness/view; or NULL */
    bool by_line;  /* the checker tells requests by line, too */
    /* Of each counter of sectors the case that the checker saw most a request in. */
    struct {
        const struct lab_case *c;
        double each;
    } dearest[TRAFFIC_COUNTERS];
};

/* What is asked of trial_timing; threshold and capacity as in measure_spec. */
struct timing_spec {
    const char *label; /* for progress */
    uint64_t seed;
    double threshold, capacity;
    int pairs;
    bool quick, trusted;
    /* In place of the task's speed case, the baseline's too; and of what it finds out by itself. */
    const struct lab_case *c;
    int calls; /* a block */
    bool unchecked, unwatched;
};

/* The project, and task, a variant task of its lab, are the caller's, and outlive it; task may be
 * NULL of a variant of the catalogue. Nothing is built yet. */
struct trial *trial_open(const struct project *project, const struct lab_task *task,
                         const char *whose);
void trial_close(struct trial *t);

/* The runner of a kind. Where it can't be built its outcome says why, and is no PASS. */
const struct build_result *trial_runner(struct trial *t, enum build_kind kind);
/* What its times are compared with: the task's baseline. Built like a runner. */
const struct build_result *trial_baseline(struct trial *t);

/* How the reason of a case begins that is right but behind an open() and a close(). */
#define TRIAL_REOPENED "right where a process calls open() once"
/* Behind it, before what is wrong there, and behind that. */
#define TRIAL_AGAIN "; where it has called open() and close() before, "
#define TRIAL_LEFT  ": what they left is met there: "
/* One case: every element of two calls, of one under a sanitizer or the checker. True when right
 * and, by what the kind looks for, safe. */
bool trial_case(struct trial *t, enum build_kind kind, const struct lab_case *c, uint64_t seed,
                struct outcome *o);
/* Threads that what is built is tried with: under a sanitizer two at least, where the task leaves
 * their number to the machine, as one thread races with nobody. */
int trial_case_threads(const struct trial *t, const struct build_result *built);
/* Where the outputs of a case that is wrong are wrong, look_picture()'s lines; NULL where they were
 * not this time. The caller's. */
char *trial_picture(struct trial *t, enum build_kind kind, const struct lab_case *c, uint64_t seed);
/* trial_case under the CPU device's checker, with what it reports; faults go to `list` too, which
 * may be NULL. */
bool trial_check(struct trial *t, const struct lab_case *c, uint64_t seed, FILE *list,
                 struct checker_reports *reports, struct outcome *o);
/* Traffic of one case by the checker's model. True when the runner came to its end. What the
 * checker found is told by *o, counted or not: unsafe, or rejected where traffic->by_host. */
bool trial_traffic(struct trial *t, const struct lab_case *c, uint64_t seed,
                   struct task_traffic *traffic, struct outcome *o);
/* The line of a counter's that costs most, by the same model: place->at is empty where it is not
 * known. */
void trial_traffic_place(struct trial *t, const struct lab_case *c, uint64_t seed,
                         enum traffic_counter counter, struct traffic_place *place);
/* The speed case against the task's baseline or, where target_copy is set, a copy. */
void trial_timing(struct trial *t, const struct timing_spec *timing, struct measure_result *m);
/* Seconds that a copy on the GPU takes of the problem that another try had, the median of `calls`
 * calls; 0 where there is none for the operation. */
double trial_copy_seconds(struct trial *t, const struct case_try *like, int calls);
/* What the GPU reaches here and now, each at what suits it best: bytes a second, read and written,
 * of copies in its memory; FLOP/s of FMAs of single precision in registers, and of cuBLAS's
 * products of large matrices, of floats cut to TF32, and of halves. 0: nobody knows, as without
 * cuBLAS. */
enum trial_peak { TRIAL_COPY, TRIAL_FMA, TRIAL_TF32, TRIAL_HALF, TRIAL_PEAKS };
double trial_peak(struct trial *t, enum trial_peak which, const struct case_try *like);
/* Whether several threads do the work of a case, with two threads at least, of a task on the
 * processor: by what each uses, and be it slower for it. Of the ranks of an MPI program: whether
 * each works on what it alone was given, by what they send to each other. */
bool trial_threads(struct trial *t, const struct lab_case *c, uint64_t seed, struct outcome *o);
/* Where the threads of a task in C stand while it computes its speed case. False where nothing is
 * known, and o->reason says why. A few seconds. */
bool trial_profile(struct trial *t, uint64_t seed, struct exchange_profile *p, struct outcome *o);
/* stores.c. Stores of one call of a task in C that several threads make to one cache line, each to
 * its own bytes there. */
struct trial_meeting {
    double stores, share; /* all of a call; of them, those that make a line travel */
    int lines;            /* that travel */
    int thread[2];        /* where most do: whose stores, from which lines of source */
    char place[2][EXCHANGE_PLACE];
};
/* False where there are none, or none can be counted: at most a few seconds. */
bool trial_meeting(struct trial *t, uint64_t seed, struct trial_meeting *m);
/* After a failure on the GPU: whether it takes the inputs of the task's first case and runs a
 * kernel of ours, in a process of its own; else *o says what became of that. True where it can't be
 * tried. */
bool trial_gpu_works(struct trial *t, uint64_t seed, struct outcome *o);

/* Write compile_commands.json into the project's folder: how the lab's solutions are compiled, as
 * editors read it. False where it can't be written, which takes nothing away. */
bool trial_editor_file(const struct project *project);

/* far.c. How many elements before its arrays make a variant in CUDA wrong that is right with a
 * million, over 2^31 or over 2^32; 0: none, or it can't be told; and why. */
enum trial_far {
    FAR_WRAPS,
    FAR_REFUSED, /* run() says so itself, as where a launch fails */
    FAR_ROUNDED, /* right where a float holds the number, wrong where it is rounded */
};
uint64_t trial_far(struct trial *t, uint64_t seed, enum trial_far *why);

#endif
