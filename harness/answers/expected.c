/* Marks by what stands in expected.ini, and of answers that can't be right whatever stands there.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/answers/internal.h"

void sheet_mark_malformed(struct sheet *s)
{
    for (int i = 0; i < s->form.n; i++) {
        const struct sheet_question *q = &s->form.question[i];
        const char *bad = sheet_malformed(q, s->answer[i]);
        if (sheet_question_counts(q) && (*bad || !s->answer[i][0]))
            sheet_mark(s, q->key, 0, *bad ? bad : "expected an answer", "%s", "");
    }
}

/* Whether the text holds one of the words, which " | " parts. */
static bool holds(const char *text, const char *words)
{
    for (const char *at = words; *at;) {
        const char *end = strstr(at, " | ");
        char *word = hpc_printf("%.*s", (int)(end ? end - at : (long)strlen(at)), at);
        const bool found = strcasestr(text, word) != NULL;
        free(word);
        if (found)
            return true;
        at = end ? end + 3 : at + strlen(at);
    }
    return false;
}

static void mark_number(struct sheet *s, const struct sheet_question *q)
{
    const double truth = strtod(q->answer, NULL);
    if (q->how == TOLERANCE_SHARE)
        sheet_count(s, q->key, truth, q->tolerance, q->why);
    else if (q->how == TOLERANCE_DISTANCE)
        sheet_near(s, q->key, truth, q->tolerance, q->why);
    else
        sheet_factor(s, q->key, truth, q->tolerance, q->half, q->why);
}

void sheet_mark_expected(struct sheet *s)
{
    for (int i = 0; i < s->form.n; i++) {
        const struct sheet_question *q = &s->form.question[i];
        const char *text = s->answer[i];
        if (!q->expected || !sheet_question_counts(q))
            continue;
        if (q->kind == SHEET_WORD)
            sheet_mark(s, q->key, holds(text, q->answer), "", "one word of: %s%s%s", q->answer,
                       *q->why ? ": " : "", q->why);
        else if (q->kind == SHEET_CHOICE)
            sheet_mark(s, q->key, strcasecmp(text, q->answer) == 0, "", "%s%s%s", q->answer,
                       *q->why ? ": " : "", q->why);
        else
            mark_number(s, q);
    }
}
