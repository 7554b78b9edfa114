/* The way of a task of answers: its form, its name and problem, its versions, its marks. */
#define _GNU_SOURCE
#include "harness/answers/answers.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/defence.h"
#include "common/random.h"
#include "common/scratch.h"
#include "harness/answers/internal.h"
#include "harness/profile/profile.h"

static const struct marker *find_marker(const struct marking *m)
{
    for (const struct lab_markers *l = lab_markers; l->lab; l++)
        for (const struct marker *k = l->markers; k->task; k++)
            if (!strcmp(l->lab, m->project->lab->name) && !strcmp(k->task, m->task->name))
                return k;
    return NULL;
}

/* Marks of the answers that are in the sheet. */
static void mark_sheet(struct sheet *s, const struct marking *m)
{
    const struct marker *marker = find_marker(m);
    sheet_mark_malformed(s);
    sheet_mark_expected(s);
    if (marker)
        marker->mark(s, m);
    if (!s->ended)
        sheet_close(s, m);
    else
        sheet_end(s, m->task);
}

/* The reference's answers: what expected.ini says, the rest by the marker. */
static bool write_reference(struct sheet *s, const struct marking *m, FILE *f)
{
    const struct marker *marker = find_marker(m);
    fprintf(f, "[answers]\n");
    for (int i = 0; i < s->form.n; i++) {
        const struct sheet_question *q = &s->form.question[i];
        const char *bar = strstr(q->answer, " | ");
        if (q->kind == SHEET_NAME)
            fprintf(f, "%s = reference\n", q->key);
        else if (q->expected)
            fprintf(f, "%s = %.*s\n", q->key, bar ? (int)(bar - q->answer) : -1, q->answer);
    }
    return !marker || marker->answer(s, m, f);
}

static void grade_reference(struct sheet *s, const struct marking *m)
{
    char *folder = scratch_name(m->project->root, "answers"),
         *path = hpc_printf("%s/answers.ini", folder);
    struct hpc_error err;
    s->reference = true;
    sheet_draw(s, m->task->name, m->project->lab->term, "reference");
    FILE *f = folder_make(folder, &err) ? fopen(path, "w") : NULL;
    bool written = f && write_reference(s, m, f);
    if (f && fclose(f) != 0)
        written = false;
    if (!written)
        sheet_wait(s, VERDICT_ENVIRONMENT, "the reference's answers could not be written");
    if (written && !sheet_read(s, m, path, &err))
        sheet_wait(s, VERDICT_ENVIRONMENT, err.text);
    folder_remove(folder);
    free(path);
    free(folder);
    if (!s->ended)
        mark_sheet(s, m);
    else
        sheet_end(s, m->task);
}

/* The name, and the problem that it draws: one name a lab, that which is kept. */
static bool take_name(struct sheet *s, const struct marking *m, struct ledger *kept)
{
    const char *student = sheet_student(s);
    struct hpc_error err;
    const struct sheet_question *name = NULL;
    for (int i = 0; i < s->form.n; i++)
        if (s->form.question[i].kind == SHEET_NAME)
            name = &s->form.question[i];
    if (!name)
        return true;
    if (!*student) {
        const char *first = m->project->lab->profile ? "run ./hpclab profile" : "./grade";
        sheet_nothing(s->result, "%s: `%s` is empty: write your name, then %s %s", s->name,
                      name->key, first, m->project->lab->name);
    } else if (DEFENCE(origin) && m->student &&
               hpc_random_named(m->student) != hpc_random_named(student)) {
        sheet_nothing(s->result, "%s: %s = %.60s, but %.60s handed it in: expected that name",
                      s->name, name->key, student, m->student);
    } else if (!profile_name_good(student, &err)) {
        sheet_nothing(s->result, "%s: %s", s->name, err.text);
    } else if (*kept->student && hpc_random_named(kept->student) != hpc_random_named(student)) {
        sheet_nothing(s->result,
                      "%s: %s = %.60s, but the problems of this record are those of %s: expected "
                      "that name",
                      s->name, name->key, student, kept->student);
    } else {
        snprintf(kept->student, sizeof kept->student, "%s", student);
        sheet_draw(s, m->task->name, m->project->lab->term, student);
        if (ledger_keep(m, s, false, kept, &err))
            return true;
        sheet_pending(m->task, s->result, VERDICT_ENVIRONMENT, err.text);
    }
    return false;
}

/* "the first complete version counts", as the task has it. */
static void say_versions(const struct marking *m, char *text, size_t size)
{
    if (m->task->versions == 1)
        snprintf(text, size, "the first complete version counts");
    else
        snprintf(text, size, "%d complete versions are marked, the last of them counts",
                 m->task->versions);
}

/* Nothing there yet, or not all: what is lacking. */
static bool say_incomplete(struct sheet *s, const struct marking *m)
{
    int missing, i = sheet_incomplete(s, &missing);
    char counts[80];
    struct task_result *r = s->result;
    say_versions(m, counts, sizeof counts);
    if (!sheet_any_answer(s)) {
        if (*s->problem)
            sheet_nothing(r, "your problem: %s; no answer yet: fill in the rest of %s", s->problem,
                          s->name);
        else
            sheet_nothing(r, "no answer yet: fill in %s", s->name);
        outcome_hint(&r->outcome, "%s%s%s", counts, *s->unknown ? "; " : "", s->unknown);
        return true;
    }
    if (i < 0 || s->final || m->handed_in)
        return false;
    const char *text = s->answer[i], *bad = sheet_malformed(&s->form.question[i], text);
    sheet_nothing(r, "%s: %s%s%.60s: %s", s->name, s->form.question[i].key,
                  *text ? " = " : " is empty", text, *bad ? bad : "expected an answer");
    outcome_hint(&r->outcome, "%d to mend or fill in before it is marked: %s%s%s", missing, counts,
                 *s->unknown ? "; " : "", s->unknown);
    return true;
}

static bool same_answers(const struct sheet *s, const struct ledger *kept)
{
    for (int i = 0; i < s->form.n; i++)
        if (s->form.question[i].kind != SHEET_NAME && kept->asked[i] &&
            strcmp(s->answer[i], kept->counted[i]) != 0)
            return false;
    return true;
}

/* Keep this version where there is room for one more; then the sheet has the one that counts. */
static bool take_version(struct sheet *s, const struct marking *m, struct ledger *kept)
{
    struct hpc_error err;
    int missing;
    const bool counts = s->final || m->handed_in || sheet_incomplete(s, &missing) < 0;
    const bool same = kept->versions > 0 && same_answers(s, kept);
    const bool taken = counts && !same && !kept->final && kept->versions < m->task->versions;
    kept->final = kept->final || s->final;
    if (!ledger_keep(m, s, taken, kept, &err)) {
        sheet_pending(m->task, s->result, VERDICT_ENVIRONMENT, err.text);
        return false;
    }
    if (!same && !taken) {
        outcome_hint(&s->result->outcome, "the version of %s counts; %s was changed after it",
                     kept->counted_time, s->name);
        for (int i = 0; i < s->form.n; i++)
            if (s->form.question[i].kind != SHEET_NAME && kept->asked[i])
                memcpy(s->answer[i], kept->counted[i], SHEET_ANSWER);
    }
    return true;
}

/* What the record says of the versions. */
static void record_versions(const struct sheet *s, const struct marking *m,
                            const struct ledger *kept)
{
    struct task_answers *a = &s->result->answers;
    a->present = true;
    a->final = s->final;
    a->sealed = m->project->lab->sealed;
    a->versions = kept->versions;
    snprintf(a->student, sizeof a->student, "%s", kept->student);
    snprintf(a->problem, sizeof a->problem, "%s", s->problem);
    snprintf(a->first_time, sizeof a->first_time, "%s", kept->first_time);
    snprintf(a->counted_time, sizeof a->counted_time, "%s", kept->counted_time);
    for (int i = 0; i < s->form.n; i++) {
        if (s->form.question[i].kind == SHEET_NAME)
            continue;
        struct given_answer *g = &a->given[a->n++];
        snprintf(g->key, sizeof g->key, "%s", s->form.question[i].key);
        snprintf(g->first, sizeof g->first, "%s", kept->first[i]);
        snprintf(g->counted, sizeof g->counted, "%s", kept->counted[i]);
    }
}

static void grade_student(struct sheet *s, const struct marking *m)
{
    struct hpc_error err;
    struct ledger kept;
    char *path =
        hpc_printf("%s/labs/%s/%s", m->project->root, m->project->lab->name, m->task->file);
    bool good = sheet_read(s, m, path, &err);
    free(path);
    if (!good) {
        sheet_nothing(s->result, "%s", err.text);
        return;
    }
    if (!ledger_read(m, &s->form, &kept, &err)) {
        sheet_pending(m->task, s->result, VERDICT_ENVIRONMENT, err.text);
        return;
    }
    good = take_name(s, m, &kept);
    if (good && kept.versions == 0 && say_incomplete(s, m))
        good = false;
    good = good && take_version(s, m, &kept);
    record_versions(s, m, &kept);
    if (!good)
        return;
    if (!m->project->lab->sealed) {
        mark_sheet(s, m);
        return;
    }
    char reason[200];
    snprintf(reason, sizeof reason, "complete, and kept since %s: the course marks it",
             kept.counted_time);
    sheet_pending(m->task, s->result, VERDICT_PENDING, reason);
}

void answers_grade(const struct marking *m, struct task_result *result)
{
    struct sheet *s = hpc_calloc(1, sizeof *s);
    s->form = m->task->sheet;
    s->result = result;
    s->name = m->task->file;
    if (strcmp(m->implementation, "reference") != 0)
        grade_student(s, m);
    else if (m->project->lab->sealed)
        sheet_pending(m->task, result, VERDICT_PENDING,
                      "sealed: what is right is not in this release");
    else
        grade_reference(s, m);
    text_free(&s->notes);
    free(s);
}

bool answers_student(const struct project *p, char *student, int size, struct hpc_error *err)
{
    struct sheet *s = hpc_calloc(1, sizeof *s);
    const struct lab *lab = p->lab;
    bool good = true, found = false;
    for (int i = 0; good && !found && i < lab->n_tasks; i++) {
        struct marking m = {.project = p, .task = &lab->tasks[i]};
        if (m.task->kind != TASK_ANSWERS)
            continue;
        char *path = hpc_printf("%s/labs/%s/%s", p->root, lab->name, m.task->file);
        s->name = m.task->file;
        s->form = m.task->sheet;
        for (int k = 0; k < s->form.n; k++)
            found |= s->form.question[k].kind == SHEET_NAME;
        if (found && access(path, F_OK) != 0)
            good = hpc_fail(err,
                            "labs/%s/%s: not there, expected your name in it; make %s lays it out, "
                            "or give the name: --student NAME",
                            lab->name, m.task->file, lab->name);
        else
            good = !found || sheet_read(s, &m, path, err);
        free(path);
    }
    snprintf(student, (size_t)size, "%s", found ? sheet_student(s) : "");
    free(s);
    return good;
}
