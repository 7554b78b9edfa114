/* Speeds as shares of what gives full marks, for everybody to see. Nobody knows whose they are: a
 * pseudonym is of the class's seed, which nobody sees, and rows stand by speed, for the roster's
 * order would name them. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/sha256.h"
#include "harness/class/page.h"

struct entry {
    const struct standing_task *task;
    int place; /* the lab's order of tasks */
    char who[9];
};

static int by_speed(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->place != y->place)
        return x->place - y->place;
    if (x->task->share != y->task->share)
        return x->task->share < y->task->share ? 1 : -1;
    return strcmp(x->who, y->who);
}

static void pseudonym(const struct class_state *c, const struct standing *s, char who[9])
{
    char *seeded = hpc_printf("%s\n%s", c->seed, s->who->id), hex[65];
    struct sha256 hash;
    sha256_start(&hash);
    sha256_add(&hash, seeded, strlen(seeded));
    sha256_end(&hash, hex);
    snprintf(who, 9, "%.8s", hex);
    free(seeded);
}

/* All right and timed results in order; how many. */
static int collect(const struct class_state *c, const struct standing *all, int n,
                   struct entry **entries)
{
    const struct lab *lab = c->project->lab;
    struct entry *e = hpc_calloc((size_t)n * (size_t)lab->n_tasks + 1, sizeof *e);
    int found = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < lab->n_tasks; k++) {
            const struct standing_task *r = page_task(&all[i], lab->tasks[k].name);
            if (!r || r->share <= 0 || r->verdict != VERDICT_PASS)
                continue;
            e[found] = (struct entry){.task = r, .place = k};
            pseudonym(c, &all[i], e[found++].who);
        }
    qsort(e, (size_t)found, sizeof *e, by_speed);
    *entries = e;
    return found;
}

bool page_leaderboard(const struct class_state *c, const struct standing *all, int n,
                      struct hpc_error *err)
{
    struct text t = {0};
    struct entry *e;
    const int found = collect(c, all, n, &e);
    char *title = hpc_printf("%s: leaderboard", c->project->lab->name);
    page_begin(&t, c, title, page_ended(c));
    if (found)
        text_add(&t,
                 "<p>Who is a pseudonym that no name can be made of; 100%% is the speed that gives "
                 "full marks.</p>\n");
    else
        text_add(&t, "<p>No speed is graded yet.</p>\n");
    for (int i = 0, rank = 0; i < found; i++) {
        const bool first = i == 0 || e[i].place != e[i - 1].place;
        if (first)
            text_add(&t,
                     "%s<h2>%s</h2>\n<div class=\"wide\"><table><tr><th>rank</th><th>who</th>"
                     "<th>of full marks' speed</th></tr>\n",
                     i ? "</table></div>\n" : "", e[i].task->name);
        rank = first ? 1 : e[i].task->share < e[i - 1].task->share ? rank + 1 : rank;
        text_add(&t, "<tr><td>%d</td><td>%s</td><td>%.0f%%</td></tr>\n", rank, e[i].who,
                 100 * e[i].task->share);
    }
    text_add(&t, "%s", found ? "</table></div>\n" : "");
    page_end(&t);
    const bool good = page_write(c->folder, "leaderboard.html", &t, err);
    text_free(&t);
    free(title);
    free(e);
    return good;
}
