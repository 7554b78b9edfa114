/* What came of a lab's gradings, one line each: results/labN/history.csv; and the records that no
 * later grading takes away: best.json, complete.json beside it.
 *
 *   complete.json   the last grading of all tasks that was not stopped
 *   best.json       of these, without --quick, that with the most points; an official one is not
 *                   replaced by one that is none */
#ifndef HPC_HARNESS_RECORD_HISTORY_H
#define HPC_HARNESS_RECORD_HISTORY_H

#include "harness/record/record.h"

#ifdef __cplusplus
extern "C" {
#endif

struct history_entry {
    char when[24];   /* "2026-11-22T08:15:24Z" */
    char kind[12];   /* full, quick, only, official */
    char commit[16]; /* of the student's files, or "-" */
    double score, max_score, pending;
    bool complete;
};

/* Add a grading that has ended, however it did; `folder` is results/labN, `working` labs/labN
 * (whose commit is noted where it is in a git repository), `all` whether no task was left out.
 * False with *err where a file can't be written. */
bool history_add(const char *folder, const char *working, const struct record *r, bool all,
                 const struct machine *m, struct hpc_error *err);
/* The entries of results/labN, oldest first, at most the last `most`; -1 with *err. A line that is
 * no entry is passed over: the file is the student's own. */
int history_read(const char *folder, struct history_entry *entries, int most,
                 struct hpc_error *err);

#ifdef __cplusplus
}
#endif
#endif
