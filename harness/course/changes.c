/* Whose points have changed, and what the roster's overrides were when that was said last. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "harness/course/actions.h"

/* Beside the grading's; kept by the store, for a roster is edited between two gradings. */
static char *override_key(const struct roster_student *who)
{
    return hpc_printf("override %s", who->id);
}

/* The word that stands for it: empty where there is none. */
static char *override_word(const struct roster_student *who)
{
    return who->has_override ? hpc_printf("%.17g", who->override) : hpc_strdup("");
}

static char *override_before(const struct class_state *c, const struct roster_student *who)
{
    struct hpc_error none;
    char *key = override_key(who), *word = NULL;
    if (!store_word(c->store, key, &word, &none) || !word)
        word = hpc_strdup("");
    free(key);
    return word;
}

double *class_points(const struct class_state *c)
{
    double *points = hpc_calloc((unsigned long)c->roster.n + 1, sizeof *points);
    for (int i = 0; i < c->roster.n; i++) {
        const struct submission *s;
        const struct store_grading *g = class_result(c, &c->roster.student[i], &s);
        char *override = override_before(c, &c->roster.student[i]);
        points[i] = *override ? strtod(override, NULL) : g ? g->score : 0;
        free(override);
    }
    return points;
}

/* What the next grading compares with. */
static bool note_overrides(const struct class_state *c, struct hpc_error *err)
{
    bool good = true;
    for (int i = 0; i < c->roster.n && good; i++) {
        const struct roster_student *who = &c->roster.student[i];
        char *before = override_before(c, who), *now = override_word(who), *key = override_key(who);
        good = strcmp(before, now) == 0 || store_set_word(c->store, key, now, err);
        free(key);
        free(now);
        free(before);
    }
    return good;
}

/* A student's line; none where nothing has changed. */
static void say_change(const struct class_state *c, const struct roster_student *r, double before,
                       struct changes *n)
{
    const struct submission *s;
    const struct store_grading *g = class_result(c, r, &s), *lower = NULL;
    const double now = r->has_override ? r->override : g ? g->score : 0;
    struct text line = {0};
    if (g && s && !r->has_override)
        class_counts(c, s, &lower);
    if (now != before && ++n->other) {
        text_add(&line, "%s: %.1f points before, %.1f now", r->id, before, now);
        if (r->has_override)
            text_add(&line, ", which the roster sets");
        else if (g && g->pending > 0)
            text_add(&line, " and %.1f pending", g->pending);
    } else if (lower && ++n->stay && class_undoes(g, lower)) {
        text_add(&line,
                 "%s: %.1f points stay; the last grading has %.1f and %.1f pending, where nothing "
                 "takes the place of what has ended",
                 r->id, before, lower->score, lower->pending);
    } else if (lower && ++n->lower)
        text_add(&line,
                 "%s: %.1f points stay; the last grading has %.1f, which --allow-lower takes",
                 r->id, before, lower->score);
    if (line.length)
        class_say(0, "", &line);
}

bool class_say_changes(const struct class_state *c, const double *before, struct changes *n,
                       struct hpc_error *err)
{
    *n = (struct changes){0};
    for (int i = 0; i < c->roster.n; i++)
        say_change(c, &c->roster.student[i], before[i], n);
    return note_overrides(c, err);
}
