/* The record of a grading, results/labN/record.json: built as tasks end, written after each. Its
 * schema is harness/record/record.schema.json. */
#ifndef HPC_HARNESS_RECORD_RECORD_H
#define HPC_HARNESS_RECORD_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "harness/lab/lab.h"
#include "harness/machine/conditions.h"
#include "harness/machine/machine.h"
#include "common/stats.h"
#include "harness/lab/sheet.h"
#include "harness/lab/traffic.h"
#include "common/outcome.h"

struct task_correctness {
    int cases, passed;
    char first_failure[400]; /* "case odd: w[17] is 0.31, should be 0.29 within 1e-12" or empty */
};

/* What a task in C was seen to do while it was timed and looked at, for words alone; 0 and "": not
 * known. */
struct task_counters {
    double cores;      /* that its calls kept busy, on average */
    char function[48]; /* of its own, where most of its time passes */
    double share;      /* of its time there, libraries that it calls and waiting with it */
    double copy;       /* the time of copying inputs and outputs once, over that of a call */
};

struct task_speed {
    bool measured;
    double student_s, baseline_s;
    struct stats_interval ratio; /* baseline over student: above 1 is faster */
    int pairs;
    bool of_copy;            /* the baseline is a device-to-device copy of as many bytes */
    double target;           /* full marks */
    char target_source[120]; /* "reference/NAME.json", "estimated from ..", "lab.ini" */
    double disturbed; /* share of calls that did not count, for their processors were disturbed */
    double fraction_of_floor; /* floor over student_s; 0 where unknown */
    struct task_counters counters;
    struct conditions before, after;
};

/* What a bound of lab.ini's came out as. */
struct traffic_mark {
    struct traffic_bound bound;
    double measured;
    bool met;
};

struct task_traffic {
    bool measured;
    bool by_host; /* code of the host worked out what is right, not the kernels that are counted */
    char case_name[40];
    double outputs; /* elements of all outputs of that case */
    struct traffic counted;
    int n;
    struct traffic_mark mark[TRAFFIC_MAX_BOUNDS];
};

/* Answers as they were given: the first version, and the one that counts. */
struct given_answer {
    char key[SHEET_KEY], first[SHEET_ANSWER], counted[SHEET_ANSWER];
};

struct task_answers {
    bool present, final, sealed;
    char student[64];                      /* whose name draws the problem */
    char problem[300];                     /* in words, or empty */
    int versions;                          /* complete ones so far */
    char first_time[24], counted_time[24]; /* UTC, or empty */
    int n;
    struct given_answer given[SHEET_MAX_QUESTIONS];
};

struct task_result {
    char name[40], title[400];
    double points, max_points; /* max_points leaves pending points out */
    double pending;            /* points that wait, */
    double pending_speed;      /* and those of them that only a timing is wanted for */
    int waited[2]; /* how often they did, NOISY and ENVIRONMENT, in all official gradings */
    struct outcome outcome;
    bool by_host; /* code of the host worked out what is right, not kernels: it earns nothing */
    char reproduce[600];
    char picture[1200]; /* where the outputs are wrong, in lines, for the screen alone; or empty */
    char safety[200];   /* "address, undefined: clean; threads: unchecked (no clang)" */
    struct task_correctness correctness;
    struct task_speed speed;
    struct task_traffic traffic;
    struct task_answers answers;
};

/* The rule by which an official record replaced the one before (harness/record/kept.h). */
enum regrade { REGRADE_NONE, REGRADE_WAITING, REGRADE_ALL, REGRADES };
extern const char *const regrade_names[REGRADES];

/* Behind a file's path the reason of a task in whose file nobody has written yet. */
#define RECORD_STARTER " is the starter as it was handed out: begin there"
/* Behind a file's name the reason of a task whose file nobody handed in. */
#define RECORD_NOT_HANDED_IN ": not handed in"

struct record {
    char lab[40], implementation[16], device[8], version[32], jail[64];
    char submission[64], student[64],
        sha256[65];       /* what was handed in: where its records are kept,
                             by whom as the course said, its hash; or empty */
    char remark[200];     /* what of it was taken under another name, or left; or empty */
    int gradings;         /* official ones so far, with this one; else 1 */
    int waited[2];        /* tasks that came out NOISY and ENVIRONMENT, in all of them: as read */
    int waited_before[2]; /* in those before this one */
    enum regrade regrade;
    uint64_t seed;
    bool complete, official, quick;
    int n_tasks;
    struct task_result tasks[LAB_MAX_TASKS];
};

/* "1.9 cores on average; 62% in back_propagation; ..", or empty where nothing is known. */
void record_counters(const struct task_speed *s, char *text, size_t size);
double record_score(const struct record *r);
double record_max_score(const struct record *r);
double record_pending(const struct record *r);
/* Points beyond those that the lab's 100 are made of, which record_score has too. */
double record_bonus(const struct record *r);
/* "90.0 of 90 and 13.0 bonus": `score` has the bonus in it, `most` has not. */
void record_points(double score, double most, double bonus, char *text, size_t size);
/* The same of one task: "90.0 of 90", or "13.0 bonus" where it has none of the lab's points. */
void record_task_points(const struct task_result *t, char *text, size_t size);
/* Points in tenths, as screens print them: all of `most` reads so where it was earned alone. */
double record_shown(double points, double most);
/* "1.84x of 1.86x", or "84% of 85% of a copy": a ratio that reads like the target has reached it.
 */
void record_speed(const struct task_speed *s, char *text, size_t size);
/* "1.84x [1.82, 1.87]", or "84% [82, 87]". */
void record_ratio(const struct task_speed *s, char *text, size_t size);
/* "1.86x", or "85%": the target. */
void record_target(const struct task_speed *s, char *text, size_t size);
/* "loads_per_output: 0.25, at most 0.16 asked for", in as many digits as tell a bound that was
 * missed from what was measured. */
void record_mark(const struct traffic_mark *m, char *text, size_t size);
/* The same for a table: "90.0/90", or "+13.0". */
void record_task_cell(const struct task_result *t, char *text, size_t size);
/* Whether points wait, and for timings alone. */
bool record_pending_speed(const struct record *r);
/* These points of the task wait. */
void record_waits(const struct lab_task *task, double points, struct task_result *t);
/* Write to `path` by way of a temporary file and rename. */
bool record_write(const struct record *r, const struct machine *m, const char *path,
                  struct hpc_error *err);
/* For `explain`: read what record_write wrote; unknown keys are ignored. */
bool record_read(const char *path, struct record *r, struct hpc_error *err);
/* The same of a text; `where` it comes from is for *err. */
bool record_parse(const char *text, const char *where, struct record *r, struct hpc_error *err);

#endif
