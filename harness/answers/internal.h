/* What the files of harness/answers share. */
#ifndef HPC_HARNESS_ANSWERS_INTERNAL_H
#define HPC_HARNESS_ANSWERS_INTERNAL_H

#include "common/text.h"
#include "harness/answers/marker.h"
#include "harness/lab/sheet.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sheet_mark {
    bool marked;
    double credit, number; /* what is right, where it is a number; else 0 */
    char mistake[160], truth[300];
};

struct sheet {
    struct task_result *result;
    const char *name; /* "intensity.ini", as messages call it */
    struct lab_sheet form;
    char problem[300];                              /* that the name draws, in words, or "" */
    char drawn[SHEET_MAX_DRAWS][SHEET_KEY];         /* as text */
    char answer[SHEET_MAX_QUESTIONS][SHEET_ANSWER]; /* of the version that counts */
    struct sheet_mark mark[SHEET_MAX_QUESTIONS];
    char unknown[200]; /* "a.ini:7: no question is called x", of the first such key, or "" */
    struct text notes; /* lines for the list of marks */
    bool final;        /* what is right may be told */
    bool reference;
    bool ended; /* by sheet_wait or sheet_fail, with: */
    struct outcome end;
};

/* sheet.c. Read `path`: at most 64 KiB, a regular file, into answer, final and unknown. False with
 * *err: absent, malformed, no [answers], an answer that is too long. */
bool sheet_read(struct sheet *s, const struct marking *m, const char *path, struct hpc_error *err);
/* What is wrong with an answer as text, whatever is right: "expected a number", or "". */
const char *sheet_malformed(const struct sheet_question *q, const char *answer);
/* The first required question without a well-formed answer, -1 where the sheet is complete;
 * *missing gets how many there are. */
int sheet_incomplete(const struct sheet *s, int *missing);
bool sheet_any_answer(const struct sheet *s);
bool sheet_question_counts(const struct sheet_question *q); /* has a mark */
/* End with 0 points and this reason; or with all points pending; or as s->end says. */
void sheet_nothing(struct task_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void sheet_pending(const struct lab_task *task, struct task_result *result, enum verdict verdict,
                   const char *reason);
void sheet_end(const struct sheet *s, const struct lab_task *task);
/* The share of the points: what goes beyond the marks that guessing brings, over all that could;
 * into `list`, unless NULL, how it comes about. */
double sheet_share(const struct sheet *s, FILE *list);
/* Points, verdict, reason, hint of a sheet whose questions are all marked; the list of marks. */
void sheet_close(struct sheet *s, const struct marking *m);

/* The number that is right for a question that is marked. */
void sheet_truth(struct sheet *s, const char *key, double number);
/* marks.c. Of wrong numbers that are right for another question: which, and whether the two are
 * swapped. Then, of those that nothing is said of yet: whether they are too large or too small. */
void sheet_swapped(struct sheet *s);
void sheet_sized(struct sheet *s);

/* draw.c. Fill problem and drawn from the name; the same name, the same problem, whatever its case
 * and the spaces around it. */
void sheet_draw(struct sheet *s, const char *task, const char *term, const char *student);

/* expected.c. Marks of all questions that expected.ini has, and of those that are malformed. */
void sheet_mark_malformed(struct sheet *s);
void sheet_mark_expected(struct sheet *s);

/* ledger.c. Versions of a task's answers, kept in KEPT/answers.json. */
#define LEDGER_TIME 24
struct ledger {
    char student[64]; /* whose problem is drawn; "" where nobody was named yet */
    bool final;
    int versions; /* complete ones so far */
    char first_time[LEDGER_TIME], counted_time[LEDGER_TIME];
    char first[SHEET_MAX_QUESTIONS][SHEET_ANSWER]; /* by the form's order */
    char counted[SHEET_MAX_QUESTIONS][SHEET_ANSWER];
    bool asked[SHEET_MAX_QUESTIONS]; /* when that version was kept */
};
/* What is kept of the task; an absent file is an empty one. False with *err where it is broken. */
bool ledger_read(const struct marking *m, const struct lab_sheet *form, struct ledger *l,
                 struct hpc_error *err);
/* Keep the name; and, with `version`, the sheet's answers as one more, the last where final. */
bool ledger_keep(const struct marking *m, const struct sheet *s, bool version, struct ledger *l,
                 struct hpc_error *err);

#ifdef __cplusplus
}
#endif
#endif
