/* Marking tasks that are answered in words and numbers: an .ini file against what the grader
 * measures itself. Each marker is one function in the table of sheet.c. */
#ifndef HPC_HARNESS_ANSWERS_SHEET_H
#define HPC_HARNESS_ANSWERS_SHEET_H

#include <stdint.h>
#include <stdio.h>

#include "common/ini.h"
#include "harness/lab/lab.h"
#include "harness/record/record.h"

struct marking {
    const char *root, *implementation;
    const struct lab *lab;
    const struct lab_task *task;
    uint64_t seed;
    bool quick;
};

/* Fills result->points, verdict, reason, hint and correctness (cases = questions, passed = those
 * with full marks; first_failure = the first answer that is off, with the reason and tolerance).
 * An answer that is absent or malformed gets 0 and a line that says so; nothing here crashes on
 * any file. */
typedef void marker_function(const struct marking *m, struct task_result *result);

struct marker {
    const char *name;
    marker_function *mark;
};
extern const struct marker markers[]; /* ended by {NULL, NULL} */

marker_function mark_profile;    /* lab1: answers.ini against the grader's own gprof profile */
marker_function mark_break_even; /* lab3: prediction.ini against a measured crossing */
marker_function mark_conv1d;     /* lab5, lab6: counts and speeds of the kernels of conv1d/ */
marker_function mark_conv2d;     /* lab7: counts of the kernels of conv2d/, dense and sparse */
marker_function mark_convpool;   /* lab8: floors, products, means of convolution-pooling */

/* An answers file while it is marked: a section [answers] with one `key = value` a question. */
struct sheet {
    struct task_result *result;
    const char *name; /* "answers.ini", as messages call it */
    struct ini_file *file;
    const struct ini_section *section;
    double credit; /* of all questions so far, each 0 to 1 */
    FILE *marks;   /* results/labN/TASK.txt: one line a question; may be NULL */
    char marks_name[120];
};

/* Read `path`: at most 64 KiB, a regular file. False with the result marked 0 and the reason in it:
 * absent, malformed, no [answers]. True: to be ended by sheet_close. */
bool sheet_open(struct sheet *s, const struct marking *m, const char *path,
                struct task_result *result);
/* The value as written, "" where the key is absent; and as a finite number, which may end in '%' or
 * 'x'. False where it is none. */
const char *sheet_text(const struct sheet *s, const char *key);
bool sheet_number(const struct sheet *s, const char *key, double *value);
/* One question's mark: credit from 0 to 1, and what was measured and allowed. */
void sheet_mark(struct sheet *s, const char *key, double credit, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A count, right within a share `tolerance` of the truth; a number within +-`distance` of it; and
 * what was measured once: full marks within a factor of ANSWER_FULL, half within ANSWER_HALF.
 * `note` follows the truth in the list of marks. */
#define ANSWER_FULL 1.3
#define ANSWER_HALF 1.6
void sheet_count(struct sheet *s, const char *key, double truth, double tolerance,
                 const char *note);
void sheet_near(struct sheet *s, const char *key, double truth, double distance, const char *note);
void sheet_factor(struct sheet *s, const char *key, double truth, const char *note);
/* A problem that a name draws: the same name, the same seed. */
uint64_t answers_seed(const char *student);
/* True where a name and some answer are given. Else the sheet is abandoned with what is missing:
 * the name, or any answer to `problem`. */
bool sheet_begun(struct sheet *s, const struct marking *m, const char *problem);
/* Points, verdict, reason, hint; frees. */
void sheet_close(struct sheet *s, const struct lab_task *task);
/* Or: 0 points and a reason; frees. */
void sheet_abandon(struct sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* End with 0 points and this reason. */
void sheet_nothing(struct task_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The task waits: all its points are pending, with the reason. */
void sheet_pending(const struct lab_task *task, struct task_result *result, enum verdict verdict,
                   const char *reason);

/* Mark a sheet whose questions follow from its `student`: `mark` does, and closes it. The
 * reference's is written first, by `write`, for the student "reference". */
void sheet_of_task(const struct marking *m, struct task_result *result,
                   bool (*write)(const struct marking *m, const char *path, struct hpc_error *err),
                   void (*mark)(struct sheet *s, const struct marking *m));

/* `student` of labs/LAB/answers.ini. */
bool answers_student(const char *root, const char *lab, char *student, int size,
                     struct hpc_error *err);

#endif
