/* What the files that people read share. */
#ifndef HPC_HARNESS_CLASS_PAGE_H
#define HPC_HARNESS_CLASS_PAGE_H

#include "common/text.h"
#include "harness/class/class.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The same as a field of a CSV file: quoted, and behind ' where a spreadsheet would calculate it.
 */
void page_field(struct text *t, const char *words);
/* Head and foot of a page; no script, nothing from elsewhere. The title is `what` it is of, the
 * class's folder, and the day on which the grading `ended`. */
void page_begin(struct text *t, const struct class_state *c, const char *what, const char *ended);
/* When the last grading ended, UTC; empty: none did. */
const char *page_ended(const struct class_state *c);
void page_end(struct text *t);
/* FOLDER/NAME, 0600, by way of a temporary file, unless it is as it should be: the state is what
 * must last, and the same command makes its pages again. */
bool page_write(const char *folder, const char *name, const struct text *t, struct hpc_error *err);
/* The name of a student's files: what could do harm in a path becomes an underscore, and where that
 * changed something a hash tells two apart. The caller's. */
char *page_name(const char *id);

/* What the tables say of a task: a record is large, and a class has hundreds. */
struct standing_task {
    char name[40];
    enum verdict verdict;
    double points, pending;
    double share; /* of full marks' speed, 0: not measured */
    char *reason;
};

/* A student as the gradebook has them. */
struct standing {
    const struct roster_student *who;
    const struct submission *s;            /* or NULL */
    const struct store_grading *g, *lower; /* or NULL */
    const char *status;                    /* graded, late, refused, waiting, none, override */
    double score;
    int n_tasks; /* of the grading's record, 0: none */
    struct standing_task *task;
};

/* Its task of that name, NULL: none; a grading that counts may be of an older lab.ini. */
const struct standing_task *page_task(const struct standing *s, const char *name);
bool page_gradebook(const struct class_state *c, const struct standing *all, int n,
                    struct hpc_error *err);
/* Their own page; the record is the grading's, NULL: none. */
bool page_student(const struct class_state *c, const struct standing *s, const struct record *r,
                  struct hpc_error *err);
/* leaderboard.html */
bool page_leaderboard(const struct class_state *c, const struct standing *all, int n,
                      struct hpc_error *err);
bool page_summary(const struct class_state *c, const struct standing *all, int n,
                  struct hpc_error *err);

#ifdef __cplusplus
}
#endif
#endif
