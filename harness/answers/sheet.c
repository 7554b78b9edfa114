/* A sheet: read, looked at for its form, marked question by question, closed. */
#define _GNU_SOURCE
#include "harness/answers/internal.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define MOST_BYTES (64 << 10)

void sheet_nothing(struct task_result *result, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    outcome_vset(&result->outcome, VERDICT_WRONG, format, args);
    va_end(args);
    result->points = 0;
    snprintf(result->correctness.first_failure, sizeof result->correctness.first_failure, "%s",
             result->outcome.reason);
}

void sheet_pending(const struct lab_task *task, struct task_result *result, enum verdict verdict,
                   const char *reason)
{
    result->points = 0;
    result->max_points = 0;
    result->pending = task->points_answers;
    outcome_set(&result->outcome, verdict, "%s", reason);
}

void sheet_end(const struct sheet *s, const struct lab_task *task)
{
    if (s->end.verdict == VERDICT_WRONG)
        sheet_nothing(s->result, "%s", s->end.reason);
    else
        sheet_pending(task, s->result, s->end.verdict, s->end.reason);
}

/* A file of a student's: small and regular, or NULL with *err. */
static struct ini_file *read_file(const char *path, const char *name, struct hpc_error *err)
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

/* Text that JSON can hold; else bytes above 127 become '?'. */
static void make_text(char *text)
{
    json_t *json = json_string(text);
    for (char *c = text; !json && *c; c++)
        if (*c & 0x80)
            *c = '?';
    json_decref(json);
    hpc_harmless(text);
}

static bool take_answer(struct sheet *s, const struct ini_key *k, struct hpc_error *err)
{
    const struct sheet_question *q = sheet_question(&s->form, k->name);
    if (strlen(k->value) >= SHEET_ANSWER)
        return hpc_fail(err, "%s:%d: %.60s has %zu characters, expected at most %d", s->name,
                        k->line, k->name, strlen(k->value), SHEET_ANSWER - 1);
    if (strcmp(k->name, "final") == 0) {
        s->final = strcasecmp(k->value, "yes") == 0;
        return s->final || !*k->value || strcasecmp(k->value, "no") == 0 ||
               hpc_fail(err, "%s:%d: final = %.60s, expected yes or no", s->name, k->line,
                        k->value);
    }
    if (!q) {
        if (*s->unknown)
            return true;
        snprintf(s->unknown, sizeof s->unknown, "%.60s:%d: no question is called %.60s", s->name,
                 k->line, k->name);
        make_text(s->unknown);
        return true;
    }
    char *answer = s->answer[q - s->form.question];
    snprintf(answer, SHEET_ANSWER, "%s", k->value);
    make_text(answer);
    return true;
}

bool sheet_read(struct sheet *s, const struct marking *m, const char *path, struct hpc_error *err)
{
    struct ini_file *file = read_file(path, s->name, err);
    if (!file)
        return false;
    const struct ini_section *section = ini_section_find(file, "answers");
    bool good = section != NULL;
    if (!good)
        hpc_fail(err,
                 "%s: expected a section [answers]; make reset LAB=%s brings the file as handed "
                 "out",
                 s->name, m->project->lab->name);
    for (int i = 0; good && i < section->n; i++)
        good = take_answer(s, &section->keys[i], err);
    ini_free(file);
    return good;
}

static bool read_number(const struct sheet_question *q, const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    if (end == text || !isfinite(*value))
        return false;
    end += strspn(end, " ");
    return !*end || ((*end == '%' || *end == 'x') && !end[1]) ||
           (*q->unit && strcasecmp(end, q->unit) == 0);
}

/* Whether it is a number but for its comma, "0,5". */
static bool comma_decimal(const struct sheet_question *q, const char *text)
{
    char with_point[SHEET_ANSWER];
    double value;
    snprintf(with_point, sizeof with_point, "%s", text);
    char *comma = strchr(with_point, ',');
    if (!comma || strchr(comma + 1, ','))
        return false;
    *comma = '.';
    return read_number(q, with_point, &value);
}

/* "2*23", "1/2": an operator behind a number, and no unit. */
static bool formula(const char *text)
{
    char *end;
    strtod(text, &end);
    return (end != text || *text == '(') && strpbrk(end, "+*/^(") &&
           strcspn(end, "+*/^(") == strspn(end, " ");
}

/* Whether a word is one of the choices. */
static bool chosen(const char *choices, const char *text)
{
    const size_t length = strlen(text);
    for (const char *at = choices; *at; at += strspn(at, " ")) {
        const size_t n = strcspn(at, " ");
        if (n == length && strncasecmp(at, text, n) == 0)
            return true;
        at += n;
    }
    return false;
}

const char *sheet_malformed(const struct sheet_question *q, const char *answer)
{
    static char expected[200];
    double value;
    const bool number = q->kind == SHEET_NUMBER || q->kind == SHEET_POSITIVE;
    if (!*answer)
        return "";
    if (number && comma_decimal(q, answer))
        snprintf(expected, sizeof expected, "expected a point before the decimals, not a comma");
    else if (number && !read_number(q, answer, &value))
        snprintf(expected, sizeof expected, "expected a number%s%s%s", *q->unit ? " of " : "",
                 q->unit, formula(answer) ? ", worked out, where this is a formula" : "");
    else if (q->kind == SHEET_POSITIVE && !(value > 0))
        snprintf(expected, sizeof expected, "expected a number above 0");
    else if (q->kind == SHEET_CHOICE && !chosen(q->choices, answer))
        snprintf(expected, sizeof expected, "expected one of %s", q->choices);
    else
        return "";
    return expected;
}

bool sheet_question_counts(const struct sheet_question *q)
{
    return q->kind != SHEET_NAME && !q->optional;
}

int sheet_incomplete(const struct sheet *s, int *missing)
{
    int first = -1;
    *missing = 0;
    for (int i = 0; i < s->form.n; i++) {
        const struct sheet_question *q = &s->form.question[i];
        const bool empty = !s->answer[i][0] && sheet_question_counts(q);
        if (!empty && !*sheet_malformed(q, s->answer[i]))
            continue;
        first = first < 0 ? i : first;
        ++*missing;
    }
    return first;
}

bool sheet_any_answer(const struct sheet *s)
{
    for (int i = 0; i < s->form.n; i++)
        if (sheet_question_counts(&s->form.question[i]) && s->answer[i][0])
            return true;
    return false;
}

/* A question that a marker asks for must be one of lab.ini's. */
static int index_of(const struct sheet *s, const char *key)
{
    for (int i = 0; i < s->form.n; i++)
        if (strcmp(s->form.question[i].key, key) == 0)
            return i;
    fprintf(stderr, "hpclab: the marker asks for %s, which [sheet] of lab.ini has not\n", key);
    HPC_ASSERT(!"a key of the sheet");
    return 0;
}

const char *sheet_student(const struct sheet *s)
{
    for (int i = 0; i < s->form.n; i++)
        if (s->form.question[i].kind == SHEET_NAME)
            return s->answer[i];
    return "";
}

const char *sheet_text(const struct sheet *s, const char *key)
{
    return s->answer[index_of(s, key)];
}

bool sheet_number(const struct sheet *s, const char *key, double *value)
{
    const int i = index_of(s, key);
    return read_number(&s->form.question[i], s->answer[i], value);
}

void sheet_mark(struct sheet *s, const char *key, double credit, const char *mistake,
                const char *format, ...)
{
    struct sheet_mark *k = &s->mark[index_of(s, key)];
    va_list args;
    if (k->marked)
        return;
    k->marked = true;
    k->credit = credit;
    text_fit(k->mistake, sizeof k->mistake, "%s", mistake);
    va_start(args, format);
    text_vfit(k->truth, sizeof k->truth, format, args);
    va_end(args);
}

void sheet_truth(struct sheet *s, const char *key, double number)
{
    s->mark[index_of(s, key)].number = number;
}

void sheet_chance(struct sheet *s, const char *key, double chance)
{
    s->form.question[index_of(s, key)].chance = chance;
}

void sheet_note(struct sheet *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_vadd(&s->notes, format, args);
    va_end(args);
    text_add(&s->notes, "\n");
}

void sheet_wait(struct sheet *s, enum verdict verdict, const char *reason)
{
    if (!s->ended)
        outcome_set(&s->end, verdict, "%s", reason);
    s->ended = true;
}

void sheet_fail(struct sheet *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!s->ended)
        outcome_vset(&s->end, VERDICT_WRONG, format, args);
    va_end(args);
    s->ended = true;
}
