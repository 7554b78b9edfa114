/* What a lab's marker needs: labs/LAB/marker.c holds the marks of answers whose right values are
 * computed or measured. Those that stand in labs/LAB/expected.ini need none, and where a release
 * seals its answers it has neither file.
 *
 * A marker.c defines `const struct marker LAB_markers[]`, a task each, ended by {NULL}. The
 * Makefile compiles all that are there, and lists them in build/markers.c. */
#ifndef HPC_HARNESS_ANSWERS_MARKER_H
#define HPC_HARNESS_ANSWERS_MARKER_H

#include <stdint.h>
#include <stdio.h>

#include "common/verdict.h"
#include "harness/lab/project.h"
#include "harness/record/record.h"

#ifdef __cplusplus
extern "C" {
#endif

struct marking {
    const struct project *project;
    const char *implementation;
    const struct lab_task *task;
    uint64_t seed;
    bool quick;
    const char *kept;    /* the folder, absolute, that keeps versions; NULL: none are kept */
    bool handed_in;      /* counts as it is, complete or not */
    const char *student; /* the only name that counts, or NULL: the sheet's own */
};

/* A sheet while it is marked. */
struct sheet;

struct marker {
    const char *task;
    /* The reference's answers, "key = value" lines, but for those that expected.ini has. False
     * after sheet_wait or sheet_fail. */
    bool (*answer)(struct sheet *s, const struct marking *m, FILE *f);
    /* Mark every question that expected.ini has not; or sheet_wait, or sheet_fail. */
    void (*mark)(struct sheet *s, const struct marking *m);
};

struct lab_markers {
    const char *lab;
    const struct marker *markers;
};
extern const struct lab_markers lab_markers[]; /* build/markers.c; ended by {NULL, NULL} */

/* The student's name; what it draws for a key of [problem TASK], as text and as a number. */
const char *sheet_student(const struct sheet *s);
const char *sheet_drawn_text(const struct sheet *s, const char *key);
double sheet_drawn(const struct sheet *s, const char *key);
/* The answer as written, "" where there is none; and as a finite number. False where it is none:
 * such a question is marked already. */
const char *sheet_text(const struct sheet *s, const char *key);
bool sheet_number(const struct sheet *s, const char *key, double *value);

/* One question's mark: credit from 0 to 1; `mistake`, what kind of one it is ("half of what is
 * right"), or "", is told at once; the rest, what was expected and why, when the sheet is final. */
void sheet_mark(struct sheet *s, const char *key, double credit, const char *mistake,
                const char *format, ...) __attribute__((format(printf, 5, 6)));
/* A count, right within a share `tolerance` of the truth (0: exact); a number within +-`distance`
 * of it; and what was measured once: full marks within a factor `full`, half within `half`. `why`
 * follows the truth. */
void sheet_count(struct sheet *s, const char *key, double truth, double tolerance, const char *why);
void sheet_near(struct sheet *s, const char *key, double truth, double distance, const char *why);
void sheet_factor(struct sheet *s, const char *key, double truth, double full, double half,
                  const char *why);
/* That who knows the form alone has it right, 0 to 1: what that brings earns nothing. Not 1 of all
 * questions. */
void sheet_chance(struct sheet *s, const char *key, double chance);
/* Of a number that is marked and not right: the mistake is `words` where it is `value`, what a
 * known misreading gives. */
void sheet_misread(struct sheet *s, const char *key, double value, const char *words);
#define ANSWER_FULL 1.3
#define ANSWER_HALF 1.6
/* A line for the list of marks, when the sheet is final. */
void sheet_note(struct sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Instead of marks: the points wait, for this reason; or there are none, for a fault of the
 * student's. The first one said stays. */
void sheet_wait(struct sheet *s, enum verdict verdict, const char *reason);
void sheet_fail(struct sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Traffic, by the checker of the CPU device, of a variant of the catalogue on a problem given as
 * words KEY=VALUE, ended by NULL. False after sheet_wait. */
bool marker_count(struct sheet *s, const struct marking *m, const struct hpc_op *op,
                  const char *variant, const char *const *words, struct task_traffic *traffic);
/* A counter of it for each output. */
double marker_per_output(const struct task_traffic *t, enum traffic_counter counter);

#ifdef __cplusplus
}
#endif
#endif
