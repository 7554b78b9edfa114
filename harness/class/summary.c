/* The class on one page, for its instructors. */
#define _GNU_SOURCE
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/stats.h"
#include "harness/class/page.h"
#include "harness/report/html.h"

#define BINS 10

/* How many have 0 to 10 points, 10 to 20 .. of `most`. */
static void add_distribution(struct text *t, const struct standing *all, int n, double most)
{
    int count[BINS] = {0}, high = 1;
    for (int i = 0; i < n; i++) {
        if (!all[i].g && !all[i].who->has_override)
            continue;
        int bin = (int)(all[i].score / most * BINS);
        bin = bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
        if (++count[bin] > high)
            high = count[bin];
    }
    /* as wide as a phone, for a picture that shrinks has words that nobody can read */
    text_add(t, "<h2>Points</h2>\n<svg viewBox=\"0 0 380 200\" width=\"380\" fill=\"currentColor\" "
                "font-size=\"12\" text-anchor=\"middle\" role=\"img\" "
                "aria-label=\"distribution of points\">\n");
    for (int b = 0; b < BINS; b++) {
        const double height = 130.0 * count[b] / high;
        if (count[b])
            text_add(t,
                     "<rect x=\"%d\" y=\"%.1f\" width=\"32\" height=\"%.1f\" fill=\"#47a\"/>"
                     "<text x=\"%d\" y=\"%.1f\">%d</text>\n",
                     19 + 34 * b, 150 - height, height, 35 + 34 * b, 145 - height, count[b]);
    }
    text_add(t, "<path d=\"M18 150.5h340\" stroke=\"currentColor\"/>\n");
    for (int b = 0; b <= BINS; b++)
        text_add(t, "<text x=\"%d\" y=\"168\">%.0f</text>\n", 18 + 34 * b, most * b / BINS);
    text_add(t, "<text x=\"188\" y=\"190\">points, and how many have them</text>\n");
    text_add(t, "</svg>\n");
}

static void add_tasks(struct text *t, const struct lab *lab, const struct standing *all, int n)
{
    text_add(t, "<h2>Tasks</h2>\n<div "
                "class=\"wide\"><table><tr><th>task</th><th>graded</th><th>pass</th><th>waiting"
                "</th><th>mean points</th></tr>\n");
    for (int k = 0; k < lab->n_tasks; k++) {
        int graded = 0, pass = 0, waits = 0;
        double points = 0;
        for (int i = 0; i < n; i++) {
            const struct standing_task *r = page_task(&all[i], lab->tasks[k].name);
            if (!r)
                continue;
            graded++;
            pass += r->verdict == VERDICT_PASS;
            waits += r->pending > 0;
            points += r->points;
        }
        const double mean = graded ? points / graded : 0, most = lab_task_points(&lab->tasks[k]);
        text_add(t, "<tr><td>%s</td><td>%d</td><td>%d</td><td>%d</td><td>", lab->tasks[k].name,
                 graded, pass, waits);
        text_add(t, "%s%.1f", most > 0 ? "" : "+", mean); /* a bonus is of nothing */
        if (most > 0)
            text_add(t, " of %g", most);
        text_add(t, "</td></tr>\n");
    }
    text_add(t, "</table></div>\n");
}

/* Whether the submission as a whole ended so, as one that is no archive does. */
static bool ended_alike(const struct standing *s)
{
    for (int k = 1; k < s->n_tasks; k++)
        if (s->task[k].verdict != s->task[0].verdict ||
            strcmp(s->task[k].reason, s->task[0].reason) != 0)
            return false;
    return s->n_tasks > 1;
}

/* A reason without its numbers: "w[#] is #", signs and all; those of a name, as of "tile_8", stay.
 */
static void plain_reason(const struct standing_task *r, const char *what, char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size, "%s, %s: ", what, verdict_names[r->verdict]);
    for (const char *p = r->reason; *p && n + 1 < size;) {
        const bool sign = *p == '-', begins = isdigit((unsigned char)p[sign]) != 0;
        const bool inside = isalnum((unsigned char)text[n - 1]) || text[n - 1] == '_';
        char *end = NULL;
        if (begins && !inside)
            strtod(p, &end);
        text[n++] = end ? '#' : *p;
        p = end ? end : p + 1;
    }
    text[n < size ? n : size - 1] = '\0';
}

struct failure {
    char reason[300], exact[300]; /* without its numbers; as the first has it */
    bool differs;                 /* others have other numbers */
    int count;
    const char *first; /* a student who has it */
};

static int by_count(const void *a, const void *b)
{
    return ((const struct failure *)b)->count - ((const struct failure *)a)->count;
}

static void write_failures(struct text *t, const struct failure *f, int groups)
{
    bool differs = false;
    text_add(t, "<h2>Failures, and what waits</h2>\n%s",
             groups ? "<div class=\"wide\"><table><tr><th class=\"one\">how many</th>"
                      "<th>what</th><th class=\"one\">such as</th></tr>\n"
                    : "<p>None.</p>\n");
    for (int g = 0; g < groups; g++) {
        text_add(t, "<tr><td>%d</td><td>", f[g].count);
        html_words(t, f[g].differs ? f[g].reason : f[g].exact);
        text_add(t, "</td><td>");
        html_words(t, f[g].first);
        text_add(t, "</td></tr>\n");
        differs = differs || f[g].differs;
    }
    text_add(t, "%s%s", groups ? "</table></div>\n" : "",
             differs ? "<p><small># stands for a number, another one for each student; their own "
                       "page has it.</small></p>\n"
                     : "");
}

/* Failures, those of one task and reason together. */
static void add_failures(struct text *t, const struct standing *all, int n, int tasks)
{
    struct failure *f = hpc_calloc((unsigned long)n * (unsigned long)tasks + 1, sizeof *f);
    int groups = 0;
    for (int i = 0; i < n; i++) {
        const bool alike = ended_alike(&all[i]);
        for (int k = 0; k < (alike ? 1 : all[i].n_tasks); k++) {
            const struct standing_task *r = &all[i].task[k];
            const char *what = alike ? "all tasks" : r->name;
            struct failure one = {.first = all[i].who->id};
            int g = 0;
            if (r->verdict == VERDICT_PASS)
                continue;
            plain_reason(r, what, one.reason, sizeof one.reason);
            text_fit(one.exact, sizeof one.exact, "%s, %s: %s", what, verdict_names[r->verdict],
                     r->reason);
            while (g < groups && strcmp(f[g].reason, one.reason) != 0)
                g++;
            if (g == groups)
                f[groups++] = one;
            f[g].differs = f[g].differs || strcmp(f[g].exact, one.exact) != 0;
            f[g].count++;
        }
    }
    qsort(f, (size_t)groups, sizeof *f, by_count);
    write_failures(t, f, groups);
    free(f);
}

/* What is to be said, and of whom: "ada, bob". */
struct item {
    char *what;
    struct text who;
};

struct items {
    int n;
    struct item *at;
};

/* Behind others of whom the same is said, where there are any. */
static void add_item(struct items *items, const char *who, const char *what)
{
    int i = 0;
    while (i < items->n && strcmp(items->at[i].what, what) != 0)
        i++;
    if (i == items->n) {
        items->at = hpc_realloc(items->at, (unsigned long)++items->n * sizeof *items->at);
        items->at[i] = (struct item){.what = hpc_strdup(what)};
    }
    text_list(&items->at[i].who, ", ", who);
}

static void write_items(struct text *t, struct items *items)
{
    text_add(t, "<h2>To look at</h2>\n<ul>\n%s", items->n ? "" : "<li>nothing</li>\n");
    for (int i = 0; i < items->n; i++) {
        text_add(t, "<li>");
        html_words(t, text_string(&items->at[i].who));
        text_add(t, ": ");
        html_words(t, items->at[i].what);
        text_add(t, "</li>\n");
        text_free(&items->at[i].who);
        free(items->at[i].what);
    }
    text_add(t, "</ul>\n");
    free(items->at);
}

/* What a person should look at. */
static void add_odd(struct text *t, const struct class_state *c, const struct standing *all, int n)
{
    double *score = hpc_calloc((unsigned long)n + 1, sizeof *score), median = 0, spread = 0;
    struct items items = {0};
    int graded = 0;
    for (int i = 0; i < n; i++)
        if (all[i].g)
            score[graded++] = all[i].score;
    if (graded) {
        median = stats_median(score, graded);
        for (int i = 0; i < graded; i++)
            score[i] = fabs(score[i] - median);
        spread = stats_median(score, graded);
    }
    free(score);
    for (int i = 0; i < c->roster.n_left; i++)
        add_item(&items, "roster, a row that is left out", c->roster.left[i].why);
    for (int i = 0; i < c->submissions.n; i++)
        if (!c->submissions.at[i].student[0])
            add_item(&items, c->submissions.at[i].name, "nobody of the roster: not graded");
        else if (c->submissions.at[i].refused[0])
            add_item(&items, c->submissions.at[i].student, c->submissions.at[i].refused);
    for (int i = 0; i < n; i++) {
        const struct standing *s = &all[i];
        if (!s->s)
            add_item(&items, s->who->id, "handed nothing in");
        else if (s->lower)
            add_item(&items, s->who->id,
                     class_undoes(s->g, s->lower)
                         ? "a later grading has points that wait again, and was not taken"
                         : "a later grading has fewer points, and was not taken");
        if (s->g && s->g->note[0])
            add_item(&items, s->who->id, s->g->note);
        if (s->g && s->g->quick && !c->o.quick)
            add_item(&items, s->who->id, "a quick look, nothing official");
        if (s->g && fabs(s->score - median) > 5 * spread && spread > 0)
            add_item(&items, s->who->id, "points far from everybody's");
    }
    write_items(t, &items);
}

bool page_summary(const struct class_state *c, const struct standing *all, int n,
                  struct hpc_error *err)
{
    const struct lab *lab = c->project->lab;
    struct text t = {0};
    char *what = hpc_printf("%s: %s", lab->name, lab->title);
    int graded = 0;
    page_begin(&t, c, what, page_ended(c));
    for (int i = 0; i < n; i++)
        graded += all[i].g != NULL;
    text_add(&t, "<p>%d of %d students graded, %d submission%s%s</p>\n", graded, n,
             c->submissions.n, c->submissions.n == 1 ? "" : "s",
             c->o.quick ? "; a quick look, nothing official" : "");
    add_distribution(&t, all, n, LAB_POINTS);
    add_tasks(&t, lab, all, n);
    add_failures(&t, all, n, lab->n_tasks);
    add_odd(&t, c, all, n);
    page_end(&t);
    const bool good =
        page_write(c->folder, "summary.html", &t, err) && page_leaderboard(c, all, n, err);
    text_free(&t);
    free(what);
    return good;
}
