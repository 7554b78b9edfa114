/* Which submission and which grading counts; which attempt a submission is without a roster; whose
 * account is another one's. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/class/class.h"

void submissions_attempts(struct submissions *s, struct roster *r)
{
    for (struct submission *x = s->at; x < s->at + s->n; x++) {
        char id[ROSTER_TEXT];
        strcpy(id, x->student);
        char *mark = id + strlen(id);
        while (mark > id && isdigit((unsigned char)mark[-1]))
            mark--;
        const size_t digits = strlen(mark);
        if (mark == id || digits < 1 || digits > 3 || !strchr("-_", *--mark) ||
            strcmp(x->system, "plain") != 0)
            continue;
        *mark = '\0';
        const struct roster_student *who = roster_find(r, id);
        if (!who)
            continue;
        x->attempt = atoi(mark + 1);
        roster_remove(r, x->student);
        strcpy(x->student, roster_find(r, id)->id);
    }
}

void submissions_accounts(struct submissions *s)
{
    for (struct submission *x = s->at; x < s->at + s->n; x++)
        for (const struct submission *y = s->at; y < s->at + s->n && x->account[0]; y++)
            if (y->account[0] && !strcmp(x->system, y->system) && !strcmp(x->student, y->student) &&
                strcmp(x->account, y->account) != 0) {
                text_fit(x->refused, sizeof x->refused,
                         "%.80s: of account %s in %s, and %.80s of account %s: which of the two "
                         "is this student's? Take the other away",
                         x->name, x->account, x->system, y->name, y->account);
                break;
            }
}

long long class_late(const struct class_state *c, const struct submission *s)
{
    const long long late = c->due ? s->time - c->due : 0;
    return late > 0 ? late : 0;
}

bool class_too_late(const struct class_state *c, const struct submission *s)
{
    const struct roster_student *who = roster_find(&c->roster, s->student);
    const double allowed = who ? who->extension_hours * 3600 + who->late_days * 86400 : 0;
    return c->due ? (double)class_late(c, s) > allowed : s->late && !(allowed > 0);
}

/* Whether a list of ids, a line each, holds one. */
static bool listed(const char *ids, const char *id)
{
    const size_t n = strlen(id);
    for (; ids && *ids; ids += strcspn(ids, "\n") + 1)
        if (strncasecmp(ids, id, n) == 0 && ids[n] == '\n')
            return true;
    return false;
}

bool class_is_of(const struct class_state *c, const struct submission *s,
                 const struct roster_student *who)
{
    if (strcasecmp(s->student, who->id) == 0 || listed(s->with, who->id))
        return true;
    const struct roster_student *other = s->student[0] ? roster_find(&c->roster, s->student) : NULL;
    return other && who->group[0] && strcasecmp(other->group, who->group) == 0;
}

int class_attempts(const struct class_state *c, const struct submission *s)
{
    int n = 0;
    for (int i = 0; i < c->submissions.n; i++)
        n += strcasecmp(c->submissions.at[i].student, s->student) == 0;
    return n;
}

/* Whether a counts before b: on time, then later. */
static bool before(const struct class_state *c, const struct submission *a,
                   const struct submission *b)
{
    const bool late = class_too_late(c, a), other = class_too_late(c, b);
    if (late != other)
        return !late;
    if (strcasecmp(a->student, b->student) == 0)
        return a->attempt > b->attempt;
    return a->time > b->time;
}

const struct submission *class_last(const struct class_state *c, const struct roster_student *who)
{
    const struct submission *found = NULL;
    for (int i = 0; i < c->submissions.n; i++) {
        const struct submission *s = &c->submissions.at[i];
        if (class_is_of(c, s, who) && (!found || before(c, s, found)))
            found = s;
    }
    return found;
}

/* Whether more points of any task wait in b: two lists of them, in one order. */
static bool waits_more(const char *a, const char *b)
{
    while (*a && *b) {
        char *end, *other;
        if (strtod(b, &other) > strtod(a, &end))
            return true;
        a = end + (*end == ',');
        b = other + (*other == ',');
    }
    return false;
}

bool class_undoes(const struct store_grading *a, const struct store_grading *b)
{
    return waits_more(a->waits, b->waits) && a->quick == b->quick &&
           strcmp(a->worth, b->worth) == 0 &&
           (!strcmp(a->fingerprint, b->fingerprint) || b->timings < a->timings || !b->may_lower);
}

/* Whether b counts in place of a, which was graded before it. */
static bool replaces(const struct store_grading *a, const struct store_grading *b)
{
    if (a->quick != b->quick)
        return a->quick;
    return !class_undoes(a, b) && (b->score >= a->score || b->may_lower);
}

const struct store_grading *class_counts(const struct class_state *c, const struct submission *s,
                                         const struct store_grading **lower)
{
    const struct store_grading *counts = NULL;
    if (lower)
        *lower = NULL;
    for (int i = 0; i < c->n_gradings; i++) {
        const struct store_grading *g = &c->grading[i];
        if (strcmp(g->submission, s->sha256) != 0 || strcasecmp(g->student, s->student) != 0)
            continue;
        if (counts && g->quick && !counts->quick)
            continue;
        const bool takes = !counts || replaces(counts, g);
        if (takes)
            counts = g;
        if (lower)
            *lower = takes ? NULL : g;
    }
    return counts;
}

const struct store_grading *class_result(const struct class_state *c,
                                         const struct roster_student *who,
                                         const struct submission **s)
{
    const struct store_grading *best = NULL;
    *s = class_last(c, who);
    if (!*s || !who->best)
        return *s ? class_counts(c, *s, NULL) : NULL;
    for (int i = 0; i < c->submissions.n; i++) {
        const struct submission *other = &c->submissions.at[i];
        if (!class_is_of(c, other, who) || class_too_late(c, other) != class_too_late(c, *s))
            continue;
        const struct store_grading *g = class_counts(c, other, NULL);
        if (g && (!best || g->score > best->score)) {
            best = g;
            *s = other;
        }
    }
    return best;
}
