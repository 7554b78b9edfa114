/* A class: what was handed in of one lab, graded side by side, each submission once.
 *
 * Interface: class_open takes the folder of its state for this process alone; class_read says who
 * is there and what was handed in; class_grade grades what has no grading yet, each in a process of
 * its own, and keeps each result as it comes; class_write writes what people read. A process that
 * is killed at any moment loses the gradings that had not ended, and nothing else. */
#ifndef HPC_HARNESS_CLASS_CLASS_H
#define HPC_HARNESS_CLASS_CLASS_H

#include "harness/class/find.h"
#include "harness/class/store.h"
#include "harness/lab/project.h"
#include "harness/record/record.h"

#ifdef __cplusplus
extern "C" {
#endif

struct class_options {
    const char *roster, *pattern, *folder, *due, *device, *past, *slurm;
    int jobs, budget; /* processes at once; seconds of wall time a submission, 0: none */
    uint64_t seed;    /* of a new class, or of what is graded again; 0: drawn */
    bool quick, allow_lower, verbose;
    bool waiting; /* again: where points are pending alone */
};

enum class_use { CLASS_LOOK, CLASS_CHANGE, CLASS_MAKE };

struct class_state {
    const struct project *project;
    struct class_options o;
    char *folder; /* absolute: class.db, spool/, students/, gradebook.csv, summary.html */
    int lock;
    enum hpc_place device;
    struct store *store;
    char seed[24], lab_hash[65];
    long long due; /* 0: none */
    struct roster roster;
    struct submissions submissions;
    int n_gradings;
    struct store_grading *grading; /* all, oldest first */
};

/* The class of project->lab in o->folder, by default ROOT/results/class/LAB. It must be there, but
 * for CLASS_MAKE; nobody else may change it meanwhile, but for CLASS_LOOK. False with *err. */
bool class_open(struct class_state *c, const struct project *project, const struct class_options *o,
                enum class_use use, struct hpc_error *err);
void class_close(struct class_state *c);
/* Roster and submissions, from DIR and the options; NULL: all of these as they were the last time.
 */
bool class_read(struct class_state *c, const char *dir, struct hpc_error *err);
/* Read the gradings anew. */
bool class_gradings(struct class_state *c, struct hpc_error *err);

/* count.c. Seconds that a submission is late beyond the deadline, extension not counted; and
 * whether it is beyond extension and late days. */
long long class_late(const struct class_state *c, const struct submission *s);
bool class_too_late(const struct class_state *c, const struct submission *s);
/* Whether the submission is this student's: handed in by them, alone or with others, or by one of
 * their group. */
bool class_is_of(const struct class_state *c, const struct submission *s,
                 const struct roster_student *who);
/* How many submissions are of the student who handed this one in. */
int class_attempts(const struct class_state *c, const struct submission *s);
/* The submission that counts if it is the last one, of those that are on time before those that are
 * not; NULL: none. */
const struct submission *class_last(const struct class_state *c, const struct roster_student *who);
/* Whether more points of a task wait in b than in a, of the same tasks and points: b then takes
 * away what had ended in a, and never counts in its place; of a lab that has changed it may, where
 * no timing is lost. */
bool class_undoes(const struct store_grading *a, const struct store_grading *b);
/* The grading of a submission that counts: of those without --quick, where there are any, the
 * newest that has no fewer points than the one before or may have them, and undoes nothing of it;
 * NULL: none. *lower, which may be NULL, gets one that was not taken. */
const struct store_grading *class_counts(const struct class_state *c, const struct submission *s,
                                         const struct store_grading **lower);
/* The same of a student: of the last submission, or of the best; *s is which. */
const struct store_grading *class_result(const struct class_state *c,
                                         const struct roster_student *who,
                                         const struct submission **s);

/* One grading that is to be done: of a submission, the first time or once more. */
struct class_job {
    const struct submission *s;
    char fingerprint[65], name[96]; /* of its record in spool/ */
    uint64_t seed;
    int run;
    char *told; /* class_told() */
};
/* jobs.c. What of what counts, or may, has no grading yet; `again` as of class_grade. Returns how
 * many; *jobs is the caller's, to class_jobs_free(). */
int class_jobs(const struct class_state *c, const char *again, struct class_job **jobs);
void class_jobs_free(struct class_job *jobs, int n);
/* A record that lies in spool/ becomes a row; one that is not complete only where the job is `over`
 * its budget. False where there is none, or none that counts. */
bool class_take(struct class_state *c, const struct class_job *j, bool over, struct hpc_error *err);

/* queue.c. Grade what has no grading, with `again` that of the student (or of all: "") once
 * more, with a fresh seed. Returns how many were graded; -1 with *err. *failed: how many could not
 * be. */
int class_grade(struct class_state *c, const char *again, int *failed, struct hpc_error *err);
/* job.c. Grade one submission in this process, its record to `path`; an exit status. *ended, unless
 * NULL, gets how many of the lab's tasks have ended, while others may read it. */
int class_grade_one(const struct class_state *c, const struct class_job *j, const char *path,
                    int *ended);
/* The sheets' versions of a student that were graded before this one was handed in, as
 * ledger_read() takes them: who may have been told their marks hands in no other answers. The
 * caller's; NULL where there are none. */
char *class_told(const struct class_state *c, const struct submission *s);
/* The grading that a submission would get: fingerprint and seed. */
void class_fingerprint(const struct class_state *c, const struct submission *s, char hex[65],
                       uint64_t *seed);

/* merge.c. Take from the class in `folder`, graded on another machine, what waits here and has
 * ended there, of each submission that both have. *conflicts gets a line of each task that is right
 * on one machine and has ended otherwise on the other. Returns how many gradings were added; -1
 * with *err. */
int class_merge(struct class_state *c, const char *folder, struct text *conflicts,
                struct hpc_error *err);
/* The record of a grading anew, which it frees, with those tasks of the grading before, of the same
 * lab and version, of which points wait now and had ended then; *names has them. */
char *class_keep(const struct class_state *c, const struct class_job *j, char *record,
                 struct text *names);
/* With --allow-lower: of each submission the last grading counts, though one before it has more
 * points. Returns of how many; -1 with *err. */
int class_take_lower(struct class_state *c, struct hpc_error *err);

/* Write gradebook.csv, students/ID.html and .json, summary.html, all 0600. */
bool class_write(const struct class_state *c, struct hpc_error *err);

#ifdef __cplusplus
}
#endif
#endif
