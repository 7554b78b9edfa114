/* A task of answers: what it asks and of which problem, by [sheet TASK] and [problem TASK] of
 * lab.ini, which students have; and what is right, as far as [question TASK KEY] of expected.ini
 * says, which a release with sealed answers leaves out. docs/lab.md is the specification. */
#ifndef HPC_HARNESS_LAB_SHEET_H
#define HPC_HARNESS_LAB_SHEET_H

#include "common/ini.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SHEET_MAX_QUESTIONS 24
#define SHEET_MAX_DRAWS     8
#define SHEET_KEY           40
#define SHEET_ANSWER        100 /* of an answer, its end included */

enum sheet_kind {
    SHEET_NUMBER,
    SHEET_POSITIVE, /* a number above 0 */
    SHEET_WORD,     /* any text */
    SHEET_CHOICE,   /* one of some words */
    SHEET_NAME,     /* the student's, which draws the problem: no question */
};

/* How an expected number is compared. */
enum sheet_tolerance { TOLERANCE_SHARE, TOLERANCE_DISTANCE, TOLERANCE_FACTOR };

struct sheet_question {
    char key[SHEET_KEY];
    enum sheet_kind kind;
    bool optional;     /* may be left empty, and has no mark */
    char unit[24];     /* that may stand behind a number; besides it '%' and 'x' may */
    char choices[160]; /* with a space between two */
    bool expected;     /* expected.ini has it: */
    char answer[160]; /* a number, a choice, or words parted by " | " of which the text holds one */
    char wrong[160];  /* words parted so of which the text may hold none beside, or empty */
    enum sheet_tolerance how;
    double tolerance, half; /* a share, a distance, or a factor and that for half of the marks */
    double chance;          /* that who knows the form alone has it right: one of K has 1 / K */
    char why[160];          /* told when the sheet is final */
};

struct sheet_draw {
    char key[SHEET_KEY];
    char words[400];     /* to choose among; or empty: */
    int first, last, by; /* numbers first, first + by .. up to last */
};

struct lab_sheet {
    int n, n_draws;
    struct sheet_question question[SHEET_MAX_QUESTIONS];
    struct sheet_draw draw[SHEET_MAX_DRAWS];
    char problem[400]; /* "n = {n}, mask = {mask}", or empty: no problem is drawn */
};

/* Read the form of a task from its lab.ini; NULL or a section that is missing is an error. */
bool sheet_form(const struct ini_file *file, const char *task, struct lab_sheet *sheet,
                struct hpc_error *err);
/* Fill in what expected.ini says of the task; sections of other tasks are left. */
bool sheet_expected(const struct ini_file *file, const char *task, struct lab_sheet *sheet,
                    struct hpc_error *err);
struct sheet_question *sheet_question(struct lab_sheet *sheet, const char *key); /* or NULL */

#ifdef __cplusplus
}
#endif
#endif
