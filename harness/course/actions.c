/* The actions of `hpclab class`. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "common/command.h"
#include "common/interrupt.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/cluster/cluster.h"
#include "harness/course/actions.h"

int class_ended(const struct hpc_error *err)
{
    const int status = hpc_report(err);
    return hpc_interrupted() ? 130 : status;
}

/* What could not be graded, on stderr; how many. */
static int say_left(const struct class_state *c)
{
    int left = 0;
    for (int i = 0; i < c->submissions.n; i++) {
        const struct submission *s = &c->submissions.at[i];
        struct hpc_error line;
        if (!s->student[0])
            hpc_fail(&line, "%s: nobody of the roster (%sread as %s), not graded", s->name,
                     s->row_left ? "but of a row that is left out; " : "", s->system);
        else if (s->refused[0])
            hpc_fail(&line, "%s: %s", s->student, s->refused);
        else
            continue;
        hpc_report(&line);
        left++;
    }
    return left;
}

/* Rows of the roster that are left out, on stderr; how many. */
static int say_rows(const struct class_state *c)
{
    for (int i = 0; i < c->roster.n_left; i++) {
        struct hpc_error line;
        hpc_fail(&line, "%s; this row is left out", c->roster.left[i].why);
        hpc_report(&line);
    }
    return c->roster.n_left;
}

/* Here, or on a cluster's nodes. */
static int grade(struct class_state *c, const char *again, int *failed, struct hpc_error *err)
{
    return c->o.slurm ? cluster_grade(c, again, failed, err) : class_grade(c, again, failed, err);
}

/* Points of all students, in the roster's order; the caller's. */
static double *points_now(const struct class_state *c)
{
    double *points = hpc_calloc((unsigned long)c->roster.n + 1, sizeof *points);
    const struct submission *s;
    for (int i = 0; i < c->roster.n; i++) {
        const struct store_grading *g = class_result(c, &c->roster.student[i], &s);
        points[i] = g ? g->score : 0;
    }
    return points;
}

/* Words of students among ours, broken at the terminal's width. */
static void show(int indent, const char *label, struct text *line)
{
    char *words = text_take(line);
    hpc_harmless(words);
    ui_paragraph(indent, label, words);
    free(words);
}

/* A line for each whose points are others now, or would be; how many. */
static int say_changes(const struct class_state *c, const double *before)
{
    int changes = 0;
    for (int i = 0; i < c->roster.n; i++) {
        const struct roster_student *r = &c->roster.student[i];
        const struct submission *s;
        const struct store_grading *g;
        const struct store_grading *lower = NULL;
        struct text line = {0};
        g = class_result(c, r, &s);
        if (g && s)
            class_counts(c, s, &lower);
        if (g && g->score != before[i] && ++changes)
            text_add(&line, "%s: %.1f points before, %.1f now", r->id, before[i], g->score);
        else if (lower && ++changes)
            text_add(&line,
                     "%s: %.1f points stay; the last grading has %.1f, which --allow-lower takes",
                     r->id, before[i], lower->score);
        if (line.length)
            show(0, "", &line);
    }
    return changes;
}

int class_verb_grade(struct class_state *c, const char *dir, bool yes)
{
    struct hpc_error err;
    int failed = 0, graded = 0, students = 0, left = 0;
    (void)yes;
    if (!class_read(c, dir, &err))
        return class_ended(&err);
    left = say_rows(c) + say_left(c); /* before hours of gradings, not behind them */
    if ((graded = grade(c, NULL, &failed, &err)) < 0) {
        struct hpc_error other; /* what had ended stands on the pages */
        if (hpc_interrupted() && class_gradings(c, &other))
            class_write(c, &other);
        return class_ended(&err);
    }
    double *before = points_now(c);
    const bool good = (!c->o.allow_lower || class_take_lower(c, &err) >= 0) && class_write(c, &err);
    const int kept = good ? say_changes(c, before) : 0;
    free(before);
    if (!good)
        return class_ended(&err);
    left += failed;
    for (int i = 0; i < c->roster.n; i++) {
        const struct submission *s;
        students += class_result(c, &c->roster.student[i], &s) != NULL;
    }
    if (kept > 0 && !c->o.allow_lower)
        printf("the same command with --allow-lower takes the last grading of all of them\n");
    printf("%d graded now; %d of %d students have a grading: %s/summary.html\n", graded, students,
           c->roster.n, c->folder);
    return left ? HPC_EXIT_BELOW : HPC_EXIT_OK;
}

const struct roster_student *class_find_student(const struct class_state *c, const char *id,
                                                struct hpc_error *err)
{
    const struct roster_student *who = roster_match(&c->roster, ROSTER_ID, id);
    if (!who)
        who = roster_match(&c->roster, ROSTER_NAME, id);
    const struct roster_left *left = who ? NULL : roster_left_out(&c->roster, ROSTER_NAME, id);
    if (left)
        hpc_fail(err, "%s: no student, for the row is left out: %s", id, left->why);
    else if (!who)
        hpc_fail(err, "%s: no student of the roster, expected an id such as %s", id,
                 c->roster.student[0].id);
    return who;
}

static void show_submission(const struct class_state *c, const struct roster_student *who,
                            const struct submission *s, bool counts)
{
    const time_t t = (time_t)s->time;
    const bool other = strcasecmp(s->student, who->id) != 0;
    struct tm utc;
    char time[32] = "";
    struct text line = {0};
    if (gmtime_r(&t, &utc))
        strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%SZ  ", &utc);
    text_add(&line, "attempt %d%s%s, %s (%s)%s%s", s->attempt, other ? " of " : "",
             other ? s->student : "", s->name, s->system, class_too_late(c, s) ? ", too late" : "",
             counts ? ", counts" : "");
    if (s->refused[0])
        text_add(&line, ": refused, %s", s->refused);
    show(2, time, &line);
}

static void show_grading(const struct store_grading *g, bool counts)
{
    struct text line = {0};
    char *ended = hpc_printf("%s  ", g->ended);
    text_add(&line, "%.1f of %g, %g pending, run %d, seed %llu%s%s%s%s", g->score, g->max_score,
             g->pending, g->run, (unsigned long long)g->seed, g->quick ? ", quick" : "",
             counts ? ", counts" : "", g->note[0] ? ": " : "", g->note);
    show(4, ended, &line);
    free(ended);
}

int class_verb_show(struct class_state *c, const char *student, bool yes)
{
    struct hpc_error err;
    const struct roster_student *who;
    const struct submission *counts;
    (void)yes;
    if (!class_read(c, NULL, &err) || !(who = class_find_student(c, student, &err)))
        return class_ended(&err);
    const struct store_grading *result = class_result(c, who, &counts);
    struct text line = {0};
    text_add(&line, "%s", who->name);
    if (who->email[0])
        text_add(&line, " <%s>", who->email);
    char *id = hpc_printf("%s  ", who->id);
    show(0, id, &line);
    free(id);
    for (int i = 0; i < c->submissions.n; i++) {
        const struct submission *s = &c->submissions.at[i];
        if (!class_is_of(c, s, who))
            continue;
        show_submission(c, who, s, s == counts);
        for (int k = 0; k < c->n_gradings; k++) {
            const struct store_grading *g = &c->grading[k];
            if (!strcmp(g->submission, s->sha256) && !strcasecmp(g->student, s->student))
                show_grading(g, g == result);
        }
    }
    if (who->has_override) {
        text_add(&line, "%g points, %s", who->override, who->reason);
        show(2, "override: ", &line);
    }
    return HPC_EXIT_OK;
}

int class_verb_again(struct class_state *c, const char *student, bool yes)
{
    struct hpc_error err;
    const struct roster_student *who = NULL;
    int failed = 0;
    (void)yes;
    if (!class_read(c, NULL, &err) || (student && !(who = class_find_student(c, student, &err))))
        return class_ended(&err);
    double *before = points_now(c);
    const int graded = grade(c, who ? who->id : "", &failed, &err);
    const bool good = graded >= 0 && class_write(c, &err);
    if (good)
        printf("%d graded again, %d with other points\n", graded, say_changes(c, before));
    free(before);
    return !good ? class_ended(&err) : failed ? HPC_EXIT_BELOW : HPC_EXIT_OK;
}

int class_verb_merge(struct class_state *c, const char *folder, bool yes)
{
    struct hpc_error err;
    (void)yes;
    if (!class_read(c, NULL, &err))
        return class_ended(&err);
    double *before = points_now(c);
    const int merged = class_merge(c, folder, &err);
    const bool good = merged >= 0 && class_write(c, &err);
    if (good)
        printf("%d merged, %d with other points\n", merged, say_changes(c, before));
    free(before);
    return good ? HPC_EXIT_OK : class_ended(&err);
}

int class_verb_similar(struct class_state *c, const char *none, bool yes)
{
    struct hpc_error err;
    (void)none;
    (void)yes;
    return class_read(c, NULL, &err) && class_similar(c, c->o.past, &err) >= 0 ? HPC_EXIT_OK
                                                                               : class_ended(&err);
}

int class_verb_purge(struct class_state *c, const char *none, bool yes)
{
    char answer[16] = "";
    (void)none;
    if (!yes) {
        if (!isatty(STDIN_FILENO)) {
            fprintf(stderr,
                    "hpclab: %s: all that is kept of the class would be removed, expected "
                    "--yes\n",
                    c->folder);
            return HPC_EXIT_USAGE;
        }
        printf("Remove all gradings and pages in %s? [y/N] ", c->folder);
        fflush(stdout);
        if (!fgets(answer, sizeof answer, stdin) || (answer[0] != 'y' && answer[0] != 'Y')) {
            printf("nothing was changed\n");
            return HPC_EXIT_OK;
        }
    }
    store_close(c->store);
    c->store = NULL;
    folder_remove(c->folder);
    printf("%s is gone; what was handed in and the roster are where they were\n", c->folder);
    return HPC_EXIT_OK;
}
