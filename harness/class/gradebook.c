/* Everybody's standing, and the gradebook as spreadsheets and learning platforms take it. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/class/formats.h"
#include "harness/class/page.h"

/* The record of a grading as students/ID.json, and read back into *r. */
static bool take_record(const struct class_state *c, const struct standing *s, struct record *r,
                        struct hpc_error *err)
{
    char *text = store_record(c->store, s->g->id, err), *base = page_name(s->who->id);
    char *name = hpc_printf("students/%s.json", base), *path = hpc_printf("%s/%s", c->folder, name);
    struct text t = {0};
    bool good = text != NULL;
    if (good) {
        text_add(&t, "%s", text);
        good = page_write(c->folder, name, &t, err) && record_read(path, r, err);
    }
    text_free(&t);
    free(path);
    free(name);
    free(base);
    free(text);
    return good;
}

static void keep_tasks(const struct record *r, struct standing *s)
{
    s->task = hpc_calloc((unsigned long)r->n_tasks + 1, sizeof *s->task);
    for (; s->n_tasks < r->n_tasks; s->n_tasks++) {
        const struct task_result *from = &r->tasks[s->n_tasks];
        struct standing_task *t = &s->task[s->n_tasks];
        strcpy(t->name, from->name);
        t->verdict = from->outcome.verdict;
        t->points = from->points;
        t->pending = from->pending;
        if (from->speed.measured && from->speed.target > 0)
            t->share = from->speed.ratio.value / from->speed.target;
        t->reason = hpc_strdup(from->outcome.reason);
    }
}

static void find_standing(const struct class_state *c, const struct roster_student *who,
                          struct standing *s)
{
    *s = (struct standing){.who = who};
    s->g = class_result(c, who, &s->s);
    if (s->s)
        class_counts(c, s->s, &s->lower);
    s->score = s->g ? s->g->score : 0;
    s->status = !s->s                     ? "none"
                : s->s->refused[0]        ? "refused"
                : !s->g                   ? "waiting"
                : class_too_late(c, s->s) ? "late"
                                          : "graded";
    if (who->has_override) {
        s->status = "override";
        s->score = who->override;
    }
}

/* The standing, and the student's own files. */
static bool write_student(const struct class_state *c, const struct roster_student *who,
                          struct standing *s, struct hpc_error *err)
{
    find_standing(c, who, s);
    struct record *r = s->g ? hpc_calloc(1, sizeof *r) : NULL;
    const bool good = (!r || take_record(c, s, r, err)) && page_student(c, s, r, err);
    if (good && r)
        keep_tasks(r, s);
    free(r);
    return good;
}

static void add_number(struct text *t, double x)
{
    text_add(t, ",%.10g", round(x * 100) / 100);
}

/* Of the score: what lies beyond the lab's points. */
static double bonus_of(const struct standing *s)
{
    if (s->who->has_override)
        return s->score > LAB_POINTS ? s->score - LAB_POINTS : 0;
    return s->g ? s->g->bonus : 0;
}

static void add_note(const struct standing *s, struct text *t)
{
    struct text note = {0};
    if (s->lower)
        text_list(&note, "; ",
                  class_undoes(s->g, s->lower)
                      ? "a later grading in which points wait again was not taken"
                      : "a later grading with fewer points was not taken");
    if (s->g && s->g->note[0])
        text_list(&note, "; ", s->g->note);
    if (s->s && s->s->unread[0] && !(s->g && strstr(s->g->note, s->s->unread)))
        text_list(&note, "; ", s->s->unread);
    if (s->g && s->g->quick)
        text_list(&note, "; ", "a quick look, nothing official");
    page_field(t, s->who->has_override       ? s->who->reason
                  : s->s && s->s->refused[0] ? s->s->refused
                                             : text_string(&note));
    text_free(&note);
}

/* Hours behind the deadline; and the days, begun, behind the student's own. */
static double late_hours(const struct class_state *c, const struct standing *s, double *days)
{
    const double late = s->s ? (double)class_late(c, s->s) / 3600 : 0;
    const double own = s->who->extension_hours;
    *days = late > own ? ceil((late - own) / 24) : 0;
    return late;
}

static void add_row(const struct class_state *c, const struct standing *s, struct text *t)
{
    const struct roster_student *who = s->who;
    const char *const words[] = {who->id, who->name, who->email, who->group, s->status};
    double days;
    const double late = late_hours(c, s, &days);
    for (int i = 0; i < 5; i++) {
        text_add(t, i ? "," : "");
        page_field(t, words[i]);
    }
    add_number(t, s->score);
    add_number(t, s->g ? s->g->max_score : 0);
    add_number(t, s->g ? s->g->pending : 0);
    add_number(t, bonus_of(s));
    text_add(t, ",%d", s->s ? s->s->attempt : 0);
    add_number(t, late);
    add_number(t, days);
    for (int i = 0; i < c->project->lab->n_tasks; i++) {
        const struct standing_task *task = page_task(s, c->project->lab->tasks[i].name);
        if (task)
            add_number(t, task->points);
        else
            text_add(t, ",");
    }
    text_add(t, ",");
    add_note(s, t);
    text_add(t, "\n");
}

bool page_gradebook(const struct class_state *c, const struct standing *all, int n,
                    struct hpc_error *err)
{
    struct text t = {0};
    text_add(
        &t,
        "id,name,email,group,status,score,max_score,pending,bonus,attempt,late_hours,late_days");
    for (int i = 0; i < c->project->lab->n_tasks; i++)
        text_add(&t, ",%s", c->project->lab->tasks[i].name);
    text_add(&t, ",note\n");
    for (int i = 0; i < n; i++)
        add_row(c, &all[i], &t);
    const bool good = page_write(c->folder, "gradebook.csv", &t, err);
    text_free(&t);
    return good;
}

/* Points as Canvas's import takes them, of formats.c's columns. */
static void add_canvas(const struct standing *s, struct text *t)
{
    page_field(t, s->who->name[0] ? s->who->name : s->who->id);
    text_add(t, ",,");
    page_field(t, s->who->id);
    text_add(t, ",,");
    add_number(t, s->score);
    text_add(t, "\n");
}

/* The same as Moodle's takes them: it refuses a whole file for one grade above an item's points. */
static void add_moodle(const struct class_state *c, const struct standing *s, struct text *t)
{
    char words[200];
    double days;
    page_field(t, s->who->id);
    add_number(t, s->score - bonus_of(s));
    text_add(t, ",%d,", LAB_POINTS);
    record_points(s->score, s->g ? s->g->max_score : 0, bonus_of(s), words, sizeof words);
    if (s->who->has_override)
        text_fit(words, sizeof words, "%.1f, set by the course", s->score);
    else if (s->g->pending > 0)
        text_fit(words, sizeof words, "%s; %g more are pending", words, s->g->pending);
    late_hours(c, s, &days);
    if (days > 0)
        text_fit(words, sizeof words, "%s; handed in %g day%s late", words, days,
                 days > 1 ? "s" : "");
    page_field(t, words);
    add_number(t, bonus_of(s));
    text_add(t, "\n");
}

/* canvas.csv and moodle.csv: whoever has points; who has none yet keeps what stands there. */
static bool write_imports(const struct class_state *c, const struct standing *all, int n,
                          struct hpc_error *err)
{
    struct text canvas = {0}, moodle = {0};
    text_add(&canvas,
             "Student,ID,SIS User ID,SIS Login ID,Section,%s\n    Points Possible,,,,,%d\n",
             c->project->lab->name, LAB_POINTS);
    text_add(&moodle, FORMAT_MOODLE);
    for (int i = 0; i < n; i++)
        if (all[i].g || all[i].who->has_override) {
            add_canvas(&all[i], &canvas);
            add_moodle(c, &all[i], &moodle);
        }
    const bool good = page_write(c->folder, "canvas.csv", &canvas, err) &&
                      page_write(c->folder, "moodle.csv", &moodle, err);
    text_free(&canvas);
    text_free(&moodle);
    return good;
}

bool class_write(const struct class_state *c, struct hpc_error *err)
{
    const int n = c->roster.n;
    struct standing *all = hpc_calloc((unsigned long)n + 1, sizeof *all);
    bool good = true;
    for (int i = 0; i < n && good; i++)
        good = write_student(c, &c->roster.student[i], &all[i], err);
    good = good && page_gradebook(c, all, n, err) && write_imports(c, all, n, err) &&
           page_summary(c, all, n, err);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < all[i].n_tasks; k++)
            free(all[i].task[k].reason);
        free(all[i].task);
    }
    free(all);
    return good;
}
