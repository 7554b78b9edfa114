/* Sections [sheet TASK] and [problem TASK] of lab.ini, [question TASK KEY] of expected.ini. */
#define _GNU_SOURCE
#include "harness/lab/sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lab/read.h"

/* "FILE:LINE: KEY = VALUE, expected WHAT" */
static bool wrong(const struct ini_file *f, const struct ini_key *k, const char *expected,
                  struct hpc_error *err)
{
    return hpc_fail(err, "%s:%d: %.60s = %.100s, expected %s", f->shown, k->line, k->name, k->value,
                    expected);
}

struct sheet_question *sheet_question(struct lab_sheet *sheet, const char *key)
{
    for (int i = 0; i < sheet->n; i++)
        if (strcmp(sheet->question[i].key, key) == 0)
            return &sheet->question[i];
    return NULL;
}

/* That who knows the choices alone takes the right one: one of K. */
static double chance_of(const char *choices)
{
    char word[SHEET_KEY];
    int n = 0;
    while (lab_next_word(&choices, word, sizeof word))
        n++;
    return n > 1 ? 1.0 / n : 0;
}

/* "[optional] number [UNIT] | positive [UNIT] | word | name | one of WORD .." */
static bool read_question(const struct ini_file *f, const struct ini_key *k,
                          struct sheet_question *q, struct hpc_error *err)
{
    static const char forms[] =
        "[optional] number [UNIT], positive [UNIT], word, name or one of WORDS";
    const char *rest = k->value;
    char word[SHEET_KEY];
    if (!lab_is_name(k->name, SHEET_KEY - 1) || strcmp(k->name, "final") == 0)
        return hpc_fail(err, "%s:%d: %.60s, expected a key of a-z, 0-9, _, other than final",
                        f->shown, k->line, k->name);
    snprintf(q->key, sizeof q->key, "%s", k->name);
    bool good = lab_next_word(&rest, word, sizeof word);
    q->optional = good && strcmp(word, "optional") == 0;
    if (q->optional)
        good = lab_next_word(&rest, word, sizeof word);
    if (!good)
        return wrong(f, k, forms, err);
    const char *left = rest + strspn(rest, " ");
    if (strcmp(word, "number") == 0 || strcmp(word, "positive") == 0) {
        q->kind = *word == 'n' ? SHEET_NUMBER : SHEET_POSITIVE;
        good = strlen(left) < sizeof q->unit;
        snprintf(q->unit, sizeof q->unit, "%.*s", (int)sizeof q->unit - 1, left);
    } else if (strcmp(word, "one") == 0) {
        q->kind = SHEET_CHOICE;
        good = strncmp(left, "of ", 3) == 0 && strlen(left + 3) < sizeof q->choices;
        snprintf(q->choices, sizeof q->choices, "%.*s", (int)sizeof q->choices - 1,
                 good ? left + 3 : "");
        q->chance = chance_of(q->choices);
    } else {
        q->kind = strcmp(word, "name") == 0 ? SHEET_NAME : SHEET_WORD;
        good = !*left && (q->kind == SHEET_NAME || strcmp(word, "word") == 0);
    }
    return good || wrong(f, k, forms, err);
}

/* "17..49 by 2", or words. */
static bool read_draw(const struct ini_file *f, const struct ini_key *k, struct sheet_draw *d,
                      struct hpc_error *err)
{
    int end = 0;
    d->by = 1;
    snprintf(d->key, sizeof d->key, "%.*s", SHEET_KEY - 1, k->name);
    if (!strstr(k->value, "..")) {
        if (!*k->value || strlen(k->value) >= sizeof d->words)
            return wrong(f, k, "FIRST..LAST [by STEP] or words", err);
        snprintf(d->words, sizeof d->words, "%s", k->value);
        return true;
    }
    bool good = sscanf(k->value, "%d..%d%n", &d->first, &d->last, &end) == 2;
    if (good && k->value[end])
        good = sscanf(k->value + end, " by %d%n", &d->by, &end) == 1;
    return (good && d->by > 0 && d->last >= d->first && d->first >= 0 && d->last <= 1 << 30) ||
           wrong(f, k, "FIRST..LAST [by STEP] or words", err);
}

static bool read_problem(const struct ini_file *f, const struct ini_section *s,
                         struct lab_sheet *sheet, struct hpc_error *err)
{
    for (int i = 0; i < s->n; i++) {
        const struct ini_key *k = &s->keys[i];
        if (strcmp(k->name, "text") == 0) {
            if (strlen(k->value) >= sizeof sheet->problem)
                return wrong(f, k, "fewer characters", err);
            snprintf(sheet->problem, sizeof sheet->problem, "%s", k->value);
        } else if (sheet->n_draws == SHEET_MAX_DRAWS) {
            return wrong(f, k, "at most 8 keys", err);
        } else if (!read_draw(f, k, &sheet->draw[sheet->n_draws++], err)) {
            return false;
        }
    }
    return *sheet->problem ||
           hpc_fail(err, "%s:%d: [%s] has no text; expected one", f->shown, s->line, s->name);
}

bool sheet_form(const struct ini_file *file, const char *task, struct lab_sheet *sheet,
                struct hpc_error *err)
{
    char name[2 * SHEET_KEY];
    bool named = false, asked = false;
    memset(sheet, 0, sizeof *sheet);
    snprintf(name, sizeof name, "sheet %.*s", SHEET_KEY, task);
    const struct ini_section *s = ini_section_find(file, name);
    if (!s)
        return hpc_fail(err, "%s: [task %s] has no [%s]; expected what it asks", file->shown, task,
                        name);
    for (int i = 0; i < s->n; i++) {
        if (sheet->n == SHEET_MAX_QUESTIONS)
            return wrong(file, &s->keys[i], "at most 24 keys", err);
        struct sheet_question *q = &sheet->question[sheet->n++];
        if (!read_question(file, &s->keys[i], q, err))
            return false;
        if (q->kind == SHEET_NAME && named)
            return wrong(file, &s->keys[i], "one name", err);
        named |= q->kind == SHEET_NAME;
        asked |= q->kind != SHEET_NAME && !q->optional;
    }
    if (!asked)
        return hpc_fail(err, "%s:%d: [%s] asks nothing; expected a question", file->shown, s->line,
                        s->name);
    snprintf(name, sizeof name, "problem %.*s", SHEET_KEY, task);
    s = ini_section_find(file, name);
    if (s && !named)
        return hpc_fail(err, "%s:%d: [%s] is drawn by a name; expected KEY = name in [sheet %s]",
                        file->shown, s->line, s->name, task);
    return !s || read_problem(file, s, sheet, err);
}

static bool read_tolerance(const struct ini_file *f, const struct ini_key *k,
                           struct sheet_question *q, struct hpc_error *err)
{
    char *end;
    if (sscanf(k->value, "factor %lf half %lf", &q->tolerance, &q->half) == 2) {
        q->how = TOLERANCE_FACTOR;
        return (q->tolerance >= 1 && q->half >= q->tolerance) ||
               wrong(f, k, "1 <= FULL <= HALF", err);
    }
    q->tolerance = strtod(k->value, &end);
    q->how = *end == '%' ? TOLERANCE_SHARE : TOLERANCE_DISTANCE;
    if (end == k->value || end[*end == '%'] || !(q->tolerance >= 0) || isinf(q->tolerance))
        return wrong(f, k, "5%, 0.05 or factor FULL half HALF", err);
    if (q->how == TOLERANCE_SHARE)
        q->tolerance /= 100;
    return true;
}

static bool read_chance(const struct ini_file *f, const struct ini_section *s,
                        struct sheet_question *q, struct hpc_error *err)
{
    const struct ini_key *k = ini_find(s, "chance");
    char *end;
    if (!k)
        return true;
    q->chance = strtod(k->value, &end);
    return (end != k->value && !*end && q->chance >= 0 && q->chance < 1) ||
           wrong(f, k, "a number from 0 to below 1", err);
}

static bool read_expected(const struct ini_file *f, const struct ini_section *s,
                          struct sheet_question *q, struct hpc_error *err)
{
    const struct ini_key *answer = ini_find(s, "answer"), *tolerance = ini_find(s, "tolerance"),
                         *wrong_words = ini_find(s, "not");
    const bool number = q->kind == SHEET_NUMBER || q->kind == SHEET_POSITIVE;
    char *end;
    if (!lab_known_keys(f, s, "answer, not, tolerance, chance, why", err) ||
        !lab_read_text(f, s, "not", q->wrong, sizeof q->wrong, err) ||
        !lab_read_text(f, s, "answer", q->answer, sizeof q->answer, err) ||
        !lab_read_text(f, s, "why", q->why, sizeof q->why, err))
        return false;
    if (!answer || q->kind == SHEET_NAME)
        return hpc_fail(err, "%s:%d: [%s] %s", f->shown, s->line, s->name,
                        answer ? "is a name; expected a question" : "has no answer; expected one");
    if (number && (!isfinite(strtod(q->answer, &end)) || end == q->answer || *end))
        return wrong(f, answer, "a number", err);
    if (q->kind == SHEET_CHOICE) {
        char *words = hpc_printf(" %s ", q->choices), *word = hpc_printf(" %s ", q->answer);
        bool listed = strstr(words, word) != NULL;
        free(words);
        free(word);
        if (!listed)
            return wrong(f, answer, q->choices, err);
    }
    if (wrong_words && q->kind != SHEET_WORD)
        return wrong(f, wrong_words, "it with a word only", err);
    if (tolerance && !number)
        return wrong(f, tolerance, "it with a number only", err);
    q->expected = true;
    return (!tolerance || read_tolerance(f, tolerance, q, err)) && read_chance(f, s, q, err);
}

bool sheet_expected(const struct ini_file *file, const char *task, struct lab_sheet *sheet,
                    struct hpc_error *err)
{
    for (int i = 0; i < file->n; i++) {
        const struct ini_section *s = &file->sections[i];
        char of[SHEET_KEY], key[SHEET_KEY];
        int end = 0;
        if (sscanf(s->name, "question %39s %39s%n", of, key, &end) != 2 || s->name[end])
            return hpc_fail(err, "%s:%d: unknown section [%s]; expected only [question TASK KEY]",
                            file->shown, s->line, s->name);
        if (strcmp(of, task) != 0)
            continue;
        struct sheet_question *q = sheet_question(sheet, key);
        if (!q)
            return hpc_fail(err, "%s:%d: [%s], expected a key of [sheet %s] in lab.ini",
                            file->shown, s->line, s->name, task);
        if (!read_expected(file, s, q, err))
            return false;
    }
    return true;
}
