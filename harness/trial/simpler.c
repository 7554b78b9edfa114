/* The ways to make a case simpler, and what each tells. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "harness/lab/case.h"
#include "harness/trial/simpler.h"

#define VALUE sizeof((struct hpc_param){0}.value)

void search_keep(struct search *q, const char *key, const char *value)
{
    struct hpc_error err;
    hpc_params_set(&q->now.params, key, value, "a simpler case", &err);
}

/* One more fact, unless there is no room for the whole of it. */
static void fact(struct simplified *s, const char *format, ...)
{
    struct text all = {0};
    va_list args;
    va_start(args, format);
    text_add(&all, "%s%s", s->facts, *s->facts ? "; " : "");
    text_vadd(&all, format, args);
    va_end(args);
    if (all.length < sizeof s->facts)
        strcpy(s->facts, text_string(&all));
    text_free(&all);
}

/* The case with key = value; where it fails it becomes the simplest. */
static enum found try_value(struct search *q, const char *key, const char *value)
{
    struct lab_case c = q->now;
    struct case_try try = {0};
    struct hpc_error err;
    if (!hpc_params_set(&c.params, key, value, "a simpler case", &err))
        return FOUND_NOTHING;
    return search_try(q, &c, &try);
}

static const char *value_of(const struct search *q, const char *key)
{
    return search_value(&q->now.params, key);
}

#define STEPS 6 /* tries to find where right turns wrong */

/* Two neighbours of which the first is right and the second wrong, as far as a few tries come to
 * them; and what the operation says of these, in `text`. */
static void narrow(struct search *q, const char *key, char low[VALUE], const char *high, char *text,
                   size_t size)
{
    struct lab_case c = q->now;
    struct ready_case right, wrong;
    struct hpc_error err;
    long a = atol(low), b = atol(high);
    text[0] = '\0';
    for (int i = 0; i < STEPS && b - a > 1; i++) {
        char middle[VALUE];
        snprintf(middle, sizeof middle, "%ld", a + (b - a) / 2);
        const enum found found = try_value(q, key, middle);
        if (found == FOUND_NOTHING)
            return;
        *(found == FOUND_RIGHT ? &a : &b) = a + (b - a) / 2;
        if (found == FOUND_RIGHT)
            snprintf(low, VALUE, "%s", middle);
        else
            search_keep(q, key, middle);
    }
    if (b - a == 1 && a > 7 && case_ready(&q->now, q->seed, q->threads, &wrong, &err) &&
        hpc_params_set(&c.params, key, low, "a simpler case", &err) &&
        case_ready(&c, q->seed, q->threads, &right, &err))
        c.op->passes(right.problem, wrong.problem, text, size);
}

#define KINDS 8 /* words in place of each of a list */

/* Words from the simplest on, in place of each of a list: the first that fails is kept, and all
 * that are right before it are told, where each is in the case that is spoken of. */
static void by_same(struct search *q, const struct hpc_simpler *way)
{
    char *save = NULL, *right[KINDS], list[VALUE], first[VALUE], where[SEARCH_WHERE] = "";
    char all[160] = "";
    const char *own = value_of(q, way->key), *wrong = own;
    char *words = hpc_strdup(*own ? way->words : "");
    int n = 0;
    for (char *word = strtok_r(words, " ", &save); word && n < KINDS && wrong == own;
         word = strtok_r(NULL, " ", &save)) {
        list_of_same(own, word, list, sizeof list);
        const enum found found =
            strcmp(list, own) == 0 ? FOUND_NOTHING : try_value(q, way->key, list);
        if (found == FOUND_RIGHT)
            right[n++] = word;
        if (found == FOUND_WRONG) {
            search_keep(q, way->key, list);
            wrong = word;
        }
    }
    bool seen = n > 0;
    for (int i = 0; i < n && seen; i++) {
        list_of_same(value_of(q, way->key), right[i], list, sizeof list);
        list_of_same(search_value(&q->first, way->key), right[i], first, sizeof first);
        seen = search_seen(q, way->key, list, first, where, sizeof where) != NULL;
        text_fit(all, sizeof all, "%s%s%s", all, i == 0 ? "" : i < n - 1 ? ", " : " or ", right[i]);
    }
    if (seen)
        fact(q->s, "right with %s all %s, wrong with %s%s%s", way->key, all, wrong, where,
             way->why ? way->why : "");
    free(words);
}

/* Whether `why` speaks of a case that is right with this value. */
static bool speaks_of(const struct hpc_simpler *way, const char *value)
{
    const size_t length = strcspn(way->words, " ");
    return way->way != HPC_SIMPLER_FIRST ||
           (strlen(value) == length && strncmp(way->words, value, length) == 0);
}

/* Words from the simplest on: the first that fails is kept. */
static void by_values(struct search *q, const struct hpc_simpler *way)
{
    char *save = NULL, last_right[VALUE] = "", where[SEARCH_WHERE], past[160] = "";
    const char *own = value_of(q, way->key);
    const double most = *own ? atof(own) : 0;
    if (!*own && !way->absent)
        return;
    char *words = hpc_strdup(way->words);
    for (char *word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        if (strcmp(word, own) == 0 || (most > 0 && atof(word) >= most))
            break;
        const enum found found = try_value(q, way->key, word);
        if (found == FOUND_RIGHT)
            snprintf(last_right, sizeof last_right, "%s", word);
        if (found == FOUND_WRONG) {
            search_keep(q, way->key, word);
            break;
        }
    }
    free(words);
    if (!*last_right)
        return;
    if (q->now.op->passes && most > 0)
        narrow(q, way->key, last_right, value_of(q, way->key), past, sizeof past);
    const struct hpc_params *seen =
        search_seen(q, way->key, last_right, last_right, where, sizeof where);
    if (!seen)
        return;
    const char *why = *past ? past : speaks_of(way, last_right) ? way->why : NULL;
    own = search_value(*past ? &q->now.params : seen, way->key);
    fact(q->s, "right with %s = %s, wrong with %s%s%s%s%s", way->key, last_right,
         *own ? way->key : "what the case has", *own ? " = " : "", own, where, why ? why : "");
}

/* The last word of a list that is less than the case's own number; else false. */
static bool largest_below(const char *own, const char *list, char *value, size_t size)
{
    char *words = hpc_strdup(list), *save = NULL;
    bool found = false;
    for (char *word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save))
        if (atof(word) > 0 && atof(word) < atof(own)) {
            snprintf(value, size, "%s", word);
            found = true;
        }
    free(words);
    return found;
}

void search_shrink(struct search *q)
{
    const struct lab_case before = q->now;
    struct case_try try = {0};
    char value[VALUE];
    for (const struct hpc_simpler *way = q->now.op->simpler; way && way->key; way++)
        if (way->way <= HPC_SIMPLER_FIRST &&
            largest_below(value_of(q, way->key), way->words, value, sizeof value))
            search_keep(q, way->key, value);
    if (search_try(q, &q->now, &try) != FOUND_WRONG)
        q->now = before;
}

/* The key `words` is what this one becomes. */
static void by_equal(struct search *q, const struct hpc_simpler *way)
{
    char own[VALUE], other[VALUE], where[SEARCH_WHERE];
    snprintf(own, sizeof own, "%s", value_of(q, way->key));
    snprintf(other, sizeof other, "%s", value_of(q, way->words));
    if (!*own || !*other || strcmp(own, other) == 0)
        return;
    const enum found found = try_value(q, way->key, other);
    if (found == FOUND_WRONG)
        search_keep(q, way->key, other);
    /* One side tells it, and a smaller one may be right by its size alone. */
    if (found != FOUND_RIGHT || strstr(q->s->facts, "right where ") ||
        (atof(other) < atof(own) && try_value(q, way->words, own) == FOUND_WRONG))
        return;
    const struct hpc_params *seen =
        search_seen(q, way->key, other, search_value(&q->first, way->words), where, sizeof where);
    if (!seen)
        return;
    fact(q->s, "right where %s = %s, wrong with %s = %s and %s = %s%s%s", way->key, way->words,
         way->key, search_value(seen, way->key), way->words, search_value(seen, way->words), where,
         way->why ? way->why : "");
}

/* The least of the words whose multiples are right. Where one thread is right, sizes change what
 * threads meet, and say nothing of what is left over; nor do those at which a program dies, or one
 * that is wrong in a later call alone: they change what it keeps. */
static void by_multiple(struct search *q, const struct hpc_simpler *way)
{
    if (q->verdict == VERDICT_CRASH || q->calls > 1 || (q->threads_part && atol(way->words) > 0))
        return;
    char words[200], *save = NULL, value[VALUE], own[VALUE], first[VALUE], where[SEARCH_WHERE];
    snprintf(own, sizeof own, "%s", value_of(q, way->key));
    snprintf(words, sizeof words, "%s", way->words);
    for (char *word = strtok_r(words, " ", &save); *own && word;
         word = strtok_r(NULL, " ", &save)) {
        const long m =
            atol(word) > 0 ? atol(word) : atol(value_of(q, word)); /* a number or a key */
        if (m < 2 || !list_round_up(own, m, value, sizeof value) ||
            try_value(q, way->key, value) != FOUND_RIGHT)
            continue;
        if (!list_round_up(search_value(&q->first, way->key), m, first, sizeof first))
            first[0] = '\0';
        const struct hpc_params *seen = search_seen(q, way->key, value, first, where, sizeof where);
        const bool at_first = seen == &q->first;
        if (!seen)
            return;
        fact(q->s, "right with %s = %s, wrong with %s%s%s", way->key, at_first ? first : value,
             at_first ? search_value(&q->first, way->key) : own, where, way->why ? way->why : "");
        return;
    }
}

/* Of a list: with no number between its ends, first and last are no two things. */
#define KEPT 3

static int numbers(const char *list)
{
    int n = *list != '\0';
    for (; *list; list++)
        n += *list == ',';
    return n;
}

/* Numbers between the ends less, as long as what is left fails; one stays. */
static void by_dropping(struct search *q, const struct hpc_simpler *way)
{
    for (int at = 1; numbers(value_of(q, way->key)) > KEPT;) {
        char list[VALUE], names[VALUE];
        struct lab_case before = q->now;
        struct hpc_error err;
        if (!list_without(value_of(q, way->key), at, list, sizeof list) ||
            !list_without(value_of(q, way->words), at - 1, names, sizeof names))
            return;
        struct case_try try = {0};
        if (hpc_params_set(&q->now.params, way->key, list, "a simpler case", &err) &&
            hpc_params_set(&q->now.params, way->words, names, "a simpler case", &err) &&
            search_try(q, &q->now, &try) == FOUND_WRONG)
            continue;
        q->now = before;
        at++;
    }
}

void search_simpler(struct search *q)
{
    typedef void take(struct search *, const struct hpc_simpler *);
    static take *const ways[] = {by_values, by_values, by_equal, by_multiple, by_dropping, by_same};
    for (const struct hpc_simpler *way = q->now.op->simpler; way && way->key; way++)
        ways[way->way](q, way);
}
