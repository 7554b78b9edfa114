/* Marking answers: the table of markers and what they share. */
#define _GNU_SOURCE
#include "harness/answers/sheet.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/command.h"
#include "harness/trial/checker.h"
#include "common/scratch.h"

#define MOST_BYTES (64 << 10)

const struct marker markers[] = {
    {"profile", mark_profile},     {"break_even", mark_break_even},   {"conv1d_model", mark_conv1d},
    {"conv2d_model", mark_conv2d}, {"convpool_model", mark_convpool}, {NULL, NULL},
};

void sheet_nothing(struct task_result *result, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(result->reason, sizeof result->reason, format, args);
    va_end(args);
    result->points = 0;
    result->verdict = VERDICT_WRONG;
    snprintf(result->correctness.first_failure, sizeof result->correctness.first_failure, "%s",
             result->reason);
}

void sheet_pending(const struct lab_task *task, struct task_result *result, enum verdict verdict,
                   const char *reason)
{
    result->points = 0;
    result->max_points = 0;
    result->pending = task->points_answers;
    result->verdict = verdict;
    snprintf(result->reason, sizeof result->reason, "%.399s", reason);
}

/* A file of a student's: small and regular, or NULL with *err. */
static struct ini_file *read_answers(const char *path, const char *name, struct hpc_error *err)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        hpc_fail(err, "%s: %s, expected the file with your answers", name, strerror(errno));
    else if (!S_ISREG(st.st_mode) || st.st_size > MOST_BYTES)
        hpc_fail(err, "%s: expected a text file of at most %d KiB", name, MOST_BYTES >> 10);
    else
        return ini_read(path, name, err);
    return NULL;
}

bool sheet_open(struct sheet *s, const struct marking *m, const char *path,
                struct task_result *result)
{
    struct hpc_error err;
    *s = (struct sheet){.result = result, .name = m->task->file};
    s->file = read_answers(path, s->name, &err);
    if (!s->file) {
        sheet_nothing(result, "%.390s", err.text);
        return false;
    }
    s->section = ini_section_find(s->file, "answers");
    if (!s->section) {
        sheet_nothing(result,
                      "%s: expected a section [answers]; make reset LAB=%s brings the file "
                      "as handed out",
                      s->name, m->lab->name);
        ini_free(s->file);
        return false;
    }
    char *marks = NULL;
    snprintf(s->marks_name, sizeof s->marks_name, "results/%s/%s.txt", m->lab->name, m->task->name);
    for (int part = 0; part < 2; part++) {
        marks = part ? hpc_printf("%s/results/%s", m->root, m->lab->name)
                     : hpc_printf("%s/results", m->root);
        mkdir(marks, 0777); /* where this fails, so does fopen, and there is no list of marks */
        free(marks);
    }
    marks = hpc_printf("%s/%s", m->root, s->marks_name);
    s->marks = fopen(marks, "w");
    free(marks);
    return true;
}

const char *sheet_text(const struct sheet *s, const char *key)
{
    struct ini_key *k = ini_find(s->section, key);
    if (!k)
        return "";
    k->used = true;
    return k->value;
}

bool sheet_number(const struct sheet *s, const char *key, double *value)
{
    const char *text = sheet_text(s, key);
    char *end;
    *value = strtod(text, &end);
    if (end == text || !isfinite(*value))
        return false;
    while (*end == ' ')
        end++;
    return !*end || ((*end == '%' || *end == 'x') && !end[1]);
}

void sheet_mark(struct sheet *s, const char *key, double credit, const char *format, ...)
{
    char why[300];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    struct task_correctness *c = &s->result->correctness;
    const char *text = sheet_text(s, key);
    c->cases++;
    s->credit += credit;
    if (credit >= 1)
        c->passed++;
    else if (!c->first_failure[0])
        snprintf(c->first_failure, sizeof c->first_failure, "%s: %s%s%.60s: %s", s->name, key,
                 *text ? " = " : " is empty", text, why);
    if (s->marks)
        fprintf(s->marks, "%3.0f%%  %s = %.60s  (%s)\n", 100 * credit, key, text, why);
}

uint64_t answers_seed(const char *student)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (const char *c = student; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    return hash;
}

static bool any_answer(const struct sheet *s)
{
    for (int i = 0; i < s->section->n; i++)
        if (strcmp(s->section->keys[i].name, "student") != 0 && *s->section->keys[i].value)
            return true;
    return false;
}

bool sheet_begun(struct sheet *s, const struct marking *m, const char *problem)
{
    if (!*sheet_text(s, "student")) {
        sheet_abandon(s, "%s: `student` is empty: write your name, then ./grade %s --only %s",
                      s->name, m->lab->name, m->task->name);
        return false;
    }
    if (!any_answer(s)) {
        sheet_abandon(s, "your problem: %s; no answer yet: fill in the rest of %s", problem,
                      s->name);
        return false;
    }
    if (s->marks)
        fprintf(s->marks, "problem: %s\n", problem);
    return true;
}

/* Keys that no question has: a typing error, most likely. */
static void note_unknown(struct sheet *s)
{
    struct task_result *r = s->result;
    for (int i = 0; i < s->section->n; i++) {
        const struct ini_key *k = &s->section->keys[i];
        if (k->used)
            continue;
        if (s->marks)
            fprintf(s->marks, "   -  line %d: no question is called %.60s\n", k->line, k->name);
        if (!r->hint[0])
            snprintf(r->hint, sizeof r->hint, "%s:%d: no question is called %.60s", s->name,
                     k->line, k->name);
    }
}

void sheet_close(struct sheet *s, const struct lab_task *task)
{
    struct task_result *r = s->result;
    struct task_correctness *c = &r->correctness;
    HPC_ASSERT(c->cases > 0);
    r->points = task->points_answers * s->credit / c->cases;
    r->verdict = c->passed == c->cases ? VERDICT_PASS : VERDICT_WRONG;
    snprintf(r->reason, sizeof r->reason, "%s", c->passed == c->cases ? "" : c->first_failure);
    note_unknown(s);
    if (c->passed < c->cases && !r->hint[0])
        snprintf(r->hint, sizeof r->hint, "every answer and its mark: %s", s->marks_name);
    if (s->marks)
        fclose(s->marks);
    ini_free(s->file);
}

void sheet_abandon(struct sheet *s, const char *format, ...)
{
    char why[400];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    sheet_nothing(s->result, "%s", why);
    if (s->marks) {
        fprintf(s->marks, "%s\n", why);
        fclose(s->marks);
    }
    ini_free(s->file);
}

bool answers_student(const char *root, const char *lab, char *student, int size,
                     struct hpc_error *err)
{
    char *path = hpc_printf("%s/labs/%s/answers.ini", root, lab);
    struct ini_file *file = read_answers(path, "answers.ini", err);
    free(path);
    if (!file)
        return false;
    const struct ini_section *section = ini_section_find(file, "answers");
    const struct ini_key *key = section ? ini_find(section, "student") : NULL;
    snprintf(student, (size_t)size, "%s", key ? key->value : "");
    ini_free(file);
    return true;
}

void sheet_of_task(const struct marking *m, struct task_result *result,
                   bool (*write)(const struct marking *m, const char *path, struct hpc_error *err),
                   void (*mark)(struct sheet *s, const struct marking *m))
{
    bool reference = strcmp(m->implementation, "reference") == 0;
    char *folder = scratch_name(m->root, "answers");
    char *path = reference ? hpc_printf("%s/answers.ini", folder)
                           : hpc_printf("%s/labs/%s/%s", m->root, m->lab->name, m->task->file);
    struct sheet s;
    struct hpc_error err;
    if (reference && !(folder_make(folder, &err) && write(m, path, &err)))
        sheet_pending(m->task, result, VERDICT_ENVIRONMENT, err.text);
    else if (sheet_open(&s, m, path, result))
        mark(&s, m);
    folder_remove(folder);
    free(path);
    free(folder);
}
