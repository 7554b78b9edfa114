/* The end of a sheet: points, the first answer that is off, and the list of marks. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/answers/internal.h"
#include "common/defence.h"
#include "common/text.h"
#include "harness/record/score.h"

/* What is told of a mark: what is right when the sheet is final, before that the kind of mistake.
 */
static void explain(const struct sheet *s, const struct sheet_mark *k, char *text, size_t size)
{
    const bool tell = (s->final || s->reference) && *k->truth;
    const char *grade = k->credit >= 1 ? "right" : k->credit > 0 ? "half right" : "not right";
    if (tell && *k->mistake && k->credit < 1)
        snprintf(text, size, "worked out: %s; yours: %s", k->truth, k->mistake);
    else if (tell)
        snprintf(text, size, "worked out: %s", k->truth);
    else
        snprintf(text, size, "%s%s%s", grade, *k->mistake ? ": " : "", k->mistake);
}

/* results/LAB/TASK.txt, NULL where it can't be written: then there is no list. */
static FILE *open_list(const struct marking *m, char *name, size_t size)
{
    snprintf(name, size, "results/%s/%s.txt", m->project->lab->name, m->task->name);
    char *folder = hpc_printf("%s/results", m->project->root);
    mkdir(folder, 0777);
    free(folder);
    folder = hpc_printf("%s/results/%s", m->project->root, m->project->lab->name);
    mkdir(folder, 0777);
    free(folder);
    char *path = hpc_printf("%s/%s", m->project->root, name);
    FILE *f = fopen(path, "w");
    free(path);
    return f;
}

/* One question's line, and what the result says of it. The reference's answers are nobody's to
 * read: where they are right they are left out. */
static void close_question(struct sheet *s, int i, FILE *list)
{
    const struct sheet_question *q = &s->form.question[i];
    const struct sheet_mark *k = &s->mark[i];
    struct task_correctness *c = &s->result->correctness;
    const char *text = s->answer[i];
    char why[500];
    explain(s, k, why, sizeof why);
    c->cases++;
    if (k->credit >= 1)
        c->passed++;
    else if (!c->first_failure[0])
        text_fit(c->first_failure, sizeof c->first_failure, "%s: %s%s%.60s: %s", s->name, q->key,
                 *text ? " = " : " is empty", text, why);
    if (list && s->reference && k->credit >= 1)
        fprintf(list, "%3.0f%%  %s\n", 100 * k->credit, q->key);
    else if (list)
        fprintf(list, "%3.0f%%  %s = %.60s  (%s)\n", 100 * k->credit, q->key, text, why);
}

static bool all_marked(const struct sheet *s, struct task_result *r)
{
    for (int i = 0; i < s->form.n; i++)
        if (sheet_question_counts(&s->form.question[i]) && !s->mark[i].marked) {
            outcome_reason(
                &r->outcome,
                "nothing says what is right for %s: neither expected.ini nor marker.c of the "
                "lab",
                s->form.question[i].key);
            return false;
        }
    return true;
}

double sheet_share(const struct sheet *s, FILE *list)
{
    double credit = 0, all = 0, guessed = 0;
    for (int i = 0; i < s->form.n; i++)
        if (sheet_question_counts(&s->form.question[i])) {
            credit += s->mark[i].credit;
            if (DEFENCE(guessing))
                guessed += s->form.question[i].chance;
            all++;
        }
    HPC_ASSERT(guessed < all);
    if (list && guessed > 0)
        fprintf(
            list,
            "%g of %g are right; guessing brings %.3g: the points are (%g - %.3g) / (%g - %.3g) "
            "of all, and not below 0\n",
            credit, all, guessed, credit, guessed, all, guessed);
    return fmax(0, credit - guessed) / (all - guessed);
}

void sheet_close(struct sheet *s, const struct marking *m)
{
    struct task_result *r = s->result;
    char name[120];
    if (!all_marked(s, r)) {
        sheet_pending(m->task, r, VERDICT_ENVIRONMENT, r->outcome.reason);
        return;
    }
    sheet_swapped(s);
    sheet_sized(s);
    FILE *list = open_list(m, name, sizeof name);
    if (list && *s->problem)
        fprintf(list, "problem: %s\n", s->problem);
    for (int i = 0; i < s->form.n; i++)
        if (sheet_question_counts(&s->form.question[i]))
            close_question(s, i, list);
    const double share = sheet_share(s, list);
    if (list) {
        fprintf(list, "%s%s%s", *s->unknown ? "   -  " : "", s->unknown, *s->unknown ? "\n" : "");
        fprintf(list, "%s", s->final ? text_string(&s->notes) : "");
        fclose(list);
    }
    const bool all = r->correctness.passed == r->correctness.cases;
    r->points = score_points(m->task->points_answers, share);
    outcome_set(&r->outcome, all ? VERDICT_PASS : VERDICT_WRONG, "%s",
                all ? "" : r->correctness.first_failure);
    if (*s->unknown)
        outcome_hint(&r->outcome, "%s", s->unknown);
    else if (!all && !r->outcome.hint[0])
        outcome_hint(&r->outcome, "every answer and its mark: %s%s", name,
                     s->final ? "" : "; `final = yes` in the file tells what is right, too");
}
