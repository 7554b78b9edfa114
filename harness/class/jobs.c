/* What is to be graded, and what of it has ended: a record in spool/ becomes a row of the state,
 * whoever graded it: a process of this machine, or a node of a cluster. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/command.h"
#include "common/random.h"
#include "common/text.h"
#include "harness/class/class.h"
#include "harness/record/record.h"

/* Where all tasks are rejected for one reason, what was handed in could not be read. */
static const char *why_refused(const struct record *r)
{
    const char *why = r->n_tasks ? r->tasks[0].outcome.reason : "";
    for (int i = 0; i < r->n_tasks; i++)
        if (r->tasks[i].outcome.verdict != VERDICT_REJECTED ||
            strcmp(r->tasks[i].outcome.reason, why) != 0)
            return "";
    return why;
}

/* Whether nothing was handed in of a task. */
static bool is_missing(const struct lab_task *task, const struct task_result *t)
{
    const size_t length = task ? strlen(task->file) : 0;
    return length && !strncmp(t->outcome.reason, task->file, length) &&
           !strcmp(t->outcome.reason + length, RECORD_NOT_HANDED_IN);
}

/* Add "not handed in: a.c, b.c", a bonus not among them. */
static void say_missing(const struct lab *lab, const struct record *r, char *note, size_t size)
{
    struct text missing = {0};
    int n = 0;
    for (int i = 0; i < r->n_tasks; i++) {
        const struct lab_task *task = lab_task_find(lab, r->tasks[i].name);
        if (is_missing(task, &r->tasks[i]) && !task->bonus)
            text_add(&missing, "%s%s", n++ ? ", " : "not handed in: ", task->file);
    }
    text_fit(note, size, "%s%s%s", note, note[0] && n ? "; " : "", text_string(&missing));
    text_free(&missing);
}

/* Add "flat: wrong; more: does not build", what was not handed in not among them, nor what waits.
 */
static void say_failed(const struct lab *lab, const struct record *r, struct text *line)
{
    const char *between = line->length ? "; " : "";
    for (int i = 0; i < r->n_tasks && !why_refused(r)[0]; i++) {
        const struct task_result *t = &r->tasks[i];
        const enum verdict verdict = t->outcome.verdict;
        if (verdict == VERDICT_PASS || verdict_waits(verdict) ||
            is_missing(lab_task_find(lab, t->name), t))
            continue;
        text_add(line, "%s%s: %s", between, t->name,
                 verdict == VERDICT_BUILD ? "does not build" : verdict_names[verdict]);
        between = "; ";
    }
}

static void fill_row(const struct class_state *c, const struct class_job *j, const struct record *r,
                     const struct stat *st, struct store_grading *g)
{
    struct tm utc;
    *g = (struct store_grading){
        .run = j->run, .attempt = j->s->attempt, .seed = j->seed, .may_lower = c->o.allow_lower};
    strftime(g->ended, sizeof g->ended, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&st->st_mtime, &utc));
    strcpy(g->student, j->s->student);
    strcpy(g->submission, j->s->sha256);
    text_fit(g->name, sizeof g->name, "%s", j->s->name);
    strcpy(g->fingerprint, j->fingerprint);
    g->score = record_score(r);
    g->max_score = record_max_score(r);
    g->pending = record_pending(r);
    g->bonus = record_bonus(r);
    if (r->complete)
        text_fit(g->note, sizeof g->note, "%s", r->remark[0] ? r->remark : why_refused(r));
    else
        text_fit(g->note, sizeof g->note, "wall budget of %d s used up", c->o.budget);
    if (r->complete)
        say_missing(c->project->lab, r, g->note, sizeof g->note);
}

/* Whether task i has points that wait, for a reason that no task before it has. */
static bool waits_first(const struct record *r, int i)
{
    for (int k = 0; k < i; k++)
        if (r->tasks[k].pending > 0 &&
            !strcmp(r->tasks[k].outcome.reason, r->tasks[i].outcome.reason))
            return false;
    return r->tasks[i].pending > 0;
}

/* A line for each reason of points that wait: of which tasks, and why. */
static void say_waits(const struct record *r)
{
    for (int i = 0; i < r->n_tasks; i++) {
        const char *why = r->tasks[i].outcome.reason;
        struct text line = {0};
        double points = 0;
        if (!waits_first(r, i))
            continue;
        for (int k = i; k < r->n_tasks; k++)
            if (r->tasks[k].pending > 0 && !strcmp(r->tasks[k].outcome.reason, why)) {
                text_add(&line, "%s%s", points > 0 ? ", " : "", r->tasks[k].name);
                points += r->tasks[k].pending;
            }
        text_add(&line, ": %g pending%s%s", points, why[0] ? ", " : "", why);
        char *words = text_take(&line);
        hpc_harmless(words);
        printf("    %s\n", words);
        free(words);
    }
}

/* A line, with the attempt where there are others. */
static void say(const struct class_state *c, const struct submission *s,
                const struct store_grading *g, const struct record *r)
{
    const struct roster_student *who = roster_find(&c->roster, g->student);
    const int attempts = class_attempts(c, s);
    struct text line = {0}, why = {0};
    char points[80];
    record_points(g->score, g->max_score, g->bonus, points, sizeof points);
    text_add(&line, "%s  %s", g->student, points);
    if (g->pending > 0)
        text_add(&line, "; %g more pending", g->pending);
    if (attempts > 1)
        text_add(&line, " (attempt %d of %d, %s%s)", s->attempt, attempts, s->name,
                 who && who->best ? "; the best counts" : "");
    if (who && who->group[0])
        text_add(&line, " (of group %s)", who->group);
    if (class_too_late(c, s))
        text_add(&line, " (late)");
    text_add(&why, "%s", g->note);
    say_failed(c->project->lab, r, &why);
    text_add(&line, "%s%s", why.length ? ": " : "", text_string(&why));
    text_free(&why);
    char *words = text_take(&line);
    hpc_harmless(words); /* names of files, and ids made of them */
    printf("%s\n", words);
    free(words);
}

bool class_take(struct class_state *c, const struct class_job *j, bool over, struct hpc_error *err)
{
    char *spool = hpc_printf("%s/spool", c->folder), *text = NULL;
    char *path = hpc_printf("%s/%s", spool, j->name);
    struct record *r = hpc_malloc(sizeof *r);
    struct store_grading g;
    struct text kept = {0};
    struct stat st;
    const bool there = stat(path, &st) == 0;
    const bool read = there && record_read(path, r, err);
    bool good = read && (r->complete || over) && (text = command_text(spool, j->name, err)) != NULL;
    if (good) {
        text = class_keep(c, j, text, &kept);
        good = !kept.length || record_parse(text, path, r, err);
    }
    if (good) {
        fill_row(c, j, r, &st, &g);
        if (kept.length)
            text_fit(g.note, sizeof g.note, "%s%sfrom an earlier grading: %s", g.note,
                     g.note[0] ? "; " : "", text_string(&kept));
        good = store_add(c->store, &g, text, err);
    }
    if (good || (there && (!read || !r->complete)))
        unlink(path);
    if (good) {
        say(c, j->s, &g, r);
        say_waits(r);
    }
    text_free(&kept);
    free(text);
    free(r);
    free(path);
    free(spool);
    return good;
}

/* How often a submission was graded, whatever the lab was then. */
static int gradings(const struct class_state *c, const struct submission *s)
{
    int n = 0;
    for (int i = 0; i < c->n_gradings; i++)
        n += !strcmp(c->grading[i].submission, s->sha256) &&
             !strcasecmp(c->grading[i].student, s->student);
    return n;
}

/* The newest run of a fingerprint, 0: none. */
static int runs(const struct class_state *c, const char *fingerprint)
{
    int run = 0;
    for (int i = 0; i < c->n_gradings; i++)
        if (!strcmp(c->grading[i].fingerprint, fingerprint) && c->grading[i].run > run)
            run = c->grading[i].run;
    return run;
}

static bool make_job(const struct class_state *c, const struct submission *s, const char *again,
                     struct class_job *j)
{
    *j = (struct class_job){.s = s};
    class_fingerprint(c, s, j->fingerprint, &j->seed);
    const struct store_grading *g = c->o.waiting ? class_counts(c, s, NULL) : NULL;
    const struct roster_student *who = again && *again ? roster_find(&c->roster, again) : NULL;
    const bool asked = again && (!*again || (who && class_is_of(c, s, who))) &&
                       (!c->o.waiting || (g && g->pending > 0));
    const int run = runs(c, j->fingerprint), times = gradings(c, s);
    if ((run && !asked) || (again && !asked))
        return false;
    j->run = run + 1;
    if (again && c->o.seed)
        j->seed = c->o.seed;
    else if (times) { /* a second look at the same inputs would tell less than one at others */
        struct hpc_random random;
        hpc_random_init(&random, j->seed, (uint64_t)times + 1);
        j->seed = hpc_random_u64(&random) >> 1;
    }
    snprintf(j->name, sizeof j->name, "%s-%d.json", j->fingerprint, j->run);
    return true;
}

/* Whether one before it is the same grading: files that are the same were handed in twice. */
static bool is_there(const struct class_job *jobs, int n)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(jobs[i].fingerprint, jobs[n].fingerprint))
            return true;
    return false;
}

int class_jobs(const struct class_state *c, const char *again, struct class_job **jobs)
{
    int n = 0;
    *jobs = hpc_calloc((unsigned long)c->submissions.n + 1, sizeof **jobs);
    for (int i = 0; i < c->submissions.n; i++) {
        const struct submission *s = &c->submissions.at[i];
        bool wanted = false;
        for (int k = 0; k < c->roster.n && s->student[0] && !s->refused[0] && !wanted; k++) {
            const struct roster_student *who = &c->roster.student[k];
            wanted = class_is_of(c, s, who) && (who->best || class_last(c, who) == s);
        }
        n += wanted && make_job(c, s, again, &(*jobs)[n]) && !is_there(*jobs, n);
    }
    for (int i = 0; i < n; i++)
        (*jobs)[i].told = class_told(c, (*jobs)[i].s);
    return n;
}

void class_jobs_free(struct class_job *jobs, int n)
{
    for (int i = 0; i < n; i++)
        free(jobs[i].told);
    free(jobs);
}
