/* Marks by what stands in expected.ini, and of answers that can't be right whatever stands there.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/answers/internal.h"

#define OTHER_WORDS 1 /* "the L1 data cache", "32 threads" */
#define LETTERS     "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

void sheet_mark_malformed(struct sheet *s)
{
    for (int i = 0; i < s->form.n; i++) {
        const struct sheet_question *q = &s->form.question[i];
        const char *bad = sheet_malformed(q, s->answer[i]);
        if (sheet_question_counts(q) && (*bad || !s->answer[i][0]))
            sheet_mark(s, q->key, 0, *bad ? bad : "expected an answer", "%s", "");
    }
}

/* Put spaces where a text has one of the words, which " | " parts, at the beginning of a word of
 * its own, and that word's rest. Whether it has one. */
static bool take_out(char *text, const char *words)
{
    bool found = false;
    for (const char *at = words; *at;) {
        const char *end = strstr(at, " | ");
        char *word = hpc_printf("%.*s", (int)(end ? end - at : (long)strlen(at)), at), *p = text;
        while (*word && (p = strcasestr(p, word)) != NULL) {
            char *behind = p + strlen(word);
            if (p > text && isalnum((unsigned char)p[-1])) {
                p = behind;
                continue;
            }
            while (isalnum((unsigned char)*behind))
                behind++;
            memset(p, ' ', (size_t)(behind - p));
            found = true;
        }
        free(word);
        at = end ? end + 3 : at + strlen(at);
    }
    return found;
}

/* How many bytes from here on are of one word; what is no ASCII is of words. */
static size_t word_length(const char *p)
{
    size_t n = 0;
    while (p[n] && (strchr(LETTERS, p[n]) || (p[n] & 0x80)))
        n++;
    return n;
}

/* Whether the first `length` bytes are one of the words, which " " parts, begins and ends. */
static bool is_one_of(const char *words, const char *p, size_t length)
{
    char *word = hpc_printf(" %.*s ", (int)length, p);
    const bool found = length > 0 && strcasestr(words, word);
    free(word);
    return found;
}

/* A text without its articles, and one space where there are more; to be freed. */
static char *plain(const char *text)
{
    char *made = hpc_strdup(text), *to = made;
    for (const char *p = text; *p;) {
        const size_t letters = word_length(p), length = letters ? letters : 1;
        const bool dropped = is_one_of(" a an the its each one ", p, letters) ||
                             (*p == ' ' && (to == made || to[-1] == ' '));
        for (size_t i = 0; i < length && !dropped; i++)
            *to++ = p[i];
        p += length;
    }
    *to = '\0';
    return made;
}

/* How many words of a text name something; what stands between two of a list counts as one, and
 * what makes a choice of two, or takes one back, as more than there may be. */
static int count_words(const char *text)
{
    int n = 0;
    for (const char *p = text; *p;) {
        const size_t length = word_length(p);
        n += length > 0 ? !is_one_of(" of in ", p, length) : !!strchr(",;/|&+", *p);
        if (is_one_of(" or and nor not no but except without versus vs ", p, length))
            n += OTHER_WORDS;
        p += length > 0 ? length : 1;
    }
    return n;
}

/* One of the words, and hardly another: who lists all that comes to mind has named none, nor has
 * who names a wrong one beside. */
static void mark_word(struct sheet *s, const struct sheet_question *q, const char *text)
{
    char *rest = plain(text);
    const bool held = take_out(rest, q->answer), few = count_words(rest) <= OTHER_WORDS,
               beside = take_out(rest, q->wrong);
    free(rest);
    sheet_mark(s, q->key, held && few && !beside,
               few && !(held && beside) ? "" : "expected one word", "one word of: %s%s%s",
               q->answer, *q->why ? ": " : "", q->why);
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
            mark_word(s, q, text);
        else if (q->kind == SHEET_CHOICE)
            sheet_mark(s, q->key, strcasecmp(text, q->answer) == 0, "", "%s%s%s", q->answer,
                       *q->why ? ": " : "", q->why);
        else
            mark_number(s, q);
    }
}
