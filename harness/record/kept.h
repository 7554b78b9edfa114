/* Where the record of a grading is kept, and which record counts.
 *
 * Interface: the first official record of a submission counts. A later official grading needs a
 * rule, which its record then names: `waiting` grades the tasks whose points wait, and keeps all
 * others as they were; `all` grades everything, for an instructor who says so. Either takes a fresh
 * seed, and the record before stays beside it under a number. Gradings that are not official never
 * replace one that is, and none replaces what can't be read.
 *
 * Beside a lab's record, of its gradings:
 *   history.csv     one line each
 *   complete.json   the last grading of all tasks that was not stopped
 *   best.json       of these, without --quick, that with the most points; an official one is not
 *                   replaced by one that is none */
#ifndef HPC_HARNESS_RECORD_KEPT_H
#define HPC_HARNESS_RECORD_KEPT_H

#include "harness/record/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rule named in --regrade (NULL: none). False with *err. */
bool kept_rule(const char *text, enum regrade *rule, struct hpc_error *err);
/* The record's path, absolute, for a grading of r->lab, r->official, r->submission: the caller's;
 * NULL with *err. r->regrade is the rule; with REGRADE_WAITING, *before gets the record before.
 * Fills r->gradings and r->waited_before; folders are made, nothing else is written. */
char *kept_path(const char *root, struct record *r, struct record *before, struct hpc_error *err);
/* Write the record there, and a copy to `copy`, unless that is NULL; the first time with
 * `set_aside`, which keeps the record before under a number. */
bool kept_write(const struct record *r, const char *path, const char *copy, bool set_aside,
                struct hpc_error *err);
/* The task as it was, where the rule keeps it: true, with *t. */
bool kept_task(const struct record *r, const struct record *before, const char *name,
               struct task_result *t);
/* Counts into t->waited how often the task's points waited: in those gradings before, and now. */
void kept_count(const struct record *before, struct task_result *t);

struct history_entry {
    char when[24];   /* "2026-11-22T08:15:24Z" */
    char kind[12];   /* full, quick, only, official */
    char commit[16]; /* of the student's files, or "-" */
    double score, max_score, pending;
    double bonus; /* of the score; 0 in lines that an older version wrote */
    bool complete;
};

/* Add a grading that has ended, however it did; `folder` is results/labN, `working` labs/labN
 * (whose commit is noted where it is in a git repository), `all` whether no task was left out.
 * False with *err where a file can't be written. */
bool history_add(const char *folder, const char *working, const struct record *r, bool all,
                 const struct machine *m, struct hpc_error *err);
/* The entries of results/labN, oldest first, at most the last `most`; 0 where there was no grading
 * yet; -1 with *err. A line that is no entry is passed over: the file is the student's own. */
int history_read(const char *folder, struct history_entry *entries, int most,
                 struct hpc_error *err);

#ifdef __cplusplus
}
#endif

#endif
