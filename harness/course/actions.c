/* The actions of `hpclab class`. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "common/command.h"
#include "common/interrupt.h"
#include "common/text.h"
#include "harness/cluster/cluster.h"
#include "harness/course/actions.h"
#include "harness/similar/similar.h"

#define SHOWN 5 /* ids of a line that may be of many */

/* What could not be graded, on stderr; how many. */
static int say_left(const struct class_state *c)
{
    int left = 0;
    for (int i = 0; i < c->submissions.n; i++) {
        const struct submission *s = &c->submissions.at[i];
        struct hpc_error line;
        const bool plain = strcmp(s->system, "plain") == 0; /* tried last, and fits any name */
        if (!s->student[0])
            hpc_fail(&line, "%s: nobody of the roster (%s%s%s), not graded", s->name,
                     s->row_left ? "but of a row that is left out; " : "",
                     plain ? "by no system's names, nor as an id or a name" : "read as ",
                     plain ? "" : s->system);
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

/* "60 graded again, 2 with other points; of 3 the points stay". */
static void say_sum(int graded, const char *how, const struct changes *n)
{
    char stay[48] = "";
    if (n->stay)
        snprintf(stay, sizeof stay, "; of %d the points stay", n->stay);
    printf("%d %s, %d with other points%s\n", graded, how, n->other, stay);
}

/* Gradings of what lay in a folder that was graded before and does not in this one count for
 * nothing: said of students who have no other. */
static void say_gone(const struct class_state *c, const char *dir)
{
    const char *first = NULL;
    int gone = 0;
    for (int i = 0; i < c->roster.n; i++) {
        const struct roster_student *who = &c->roster.student[i];
        int gradings = 0;
        for (int k = 0; k < c->n_gradings; k++)
            gradings += !strcasecmp(c->grading[k].student, who->id);
        if (gradings && !class_last(c, who) && !gone++)
            first = who->id;
    }
    if (!gone)
        return;
    struct text line = {0};
    text_add(&line, "%d graded before have nothing in %s now, such as %s: no points", gone, dir,
             first);
    class_say(0, "", &line);
}

/* "no grading of: eve, late and 3 more". */
static void say_without(const struct class_state *c)
{
    struct text line = {0};
    int n = 0;
    for (int i = 0; i < c->roster.n; i++) {
        const struct submission *s;
        const struct roster_student *who = &c->roster.student[i];
        if (!class_result(c, who, &s) && n++ < SHOWN)
            text_add(&line, "%s %s", n == 1 ? "no grading of:" : ",", who->id);
    }
    if (n > SHOWN)
        text_add(&line, " and %d more", n - SHOWN);
    if (n)
        class_say(0, "", &line);
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
    double *before = class_points(c);
    struct changes changes;
    const bool good = (!c->o.allow_lower || class_take_lower(c, &err) >= 0) &&
                      class_write(c, &err) && class_say_changes(c, before, &changes, &err);
    free(before);
    if (!good)
        return class_ended(&err);
    left += failed;
    for (int i = 0; i < c->roster.n; i++) {
        const struct submission *s;
        students += class_result(c, &c->roster.student[i], &s) != NULL;
    }
    if (changes.lower && !c->o.allow_lower)
        printf("the same command with --allow-lower takes the last grading of all of them\n");
    say_gone(c, dir);
    say_without(c);
    printf("%d graded now; %d of %d students have a grading: %s/summary.html\n", graded, students,
           c->roster.n, c->folder);
    return left ? HPC_EXIT_BELOW : HPC_EXIT_OK;
}

int class_verb_again(struct class_state *c, const char *student, bool yes)
{
    struct hpc_error err;
    const struct roster_student *who = NULL;
    int failed = 0;
    (void)yes;
    if (!class_read(c, NULL, &err) || (student && !(who = class_find_student(c, student, &err))))
        return class_ended(&err);
    double *before = class_points(c);
    const int graded = grade(c, who ? who->id : "", &failed, &err);
    struct changes changes;
    const bool good =
        graded >= 0 && class_write(c, &err) && class_say_changes(c, before, &changes, &err);
    if (good)
        say_sum(graded, "graded again", &changes);
    free(before);
    return !good ? class_ended(&err) : failed ? HPC_EXIT_BELOW : HPC_EXIT_OK;
}

/* Of whom points wait. */
static void say_waiting(const struct class_state *c)
{
    struct text waiting = {0};
    for (int i = 0; i < c->roster.n; i++) {
        const struct submission *s;
        const struct roster_student *who = &c->roster.student[i];
        const struct store_grading *g = who->has_override ? NULL : class_result(c, who, &s);
        if (g && g->pending > 0)
            text_add(&waiting, "%s %s", waiting.length ? "," : "points still wait of:", who->id);
    }
    if (waiting.length)
        class_say(0, "", &waiting);
}

int class_verb_merge(struct class_state *c, const char *folder, bool yes)
{
    struct hpc_error err;
    (void)yes;
    if (!class_read(c, NULL, &err))
        return class_ended(&err);
    double *before = class_points(c);
    struct text conflicts = {0};
    const int merged = class_merge(c, folder, &conflicts, &err);
    struct changes changed;
    const bool good =
        merged >= 0 && class_write(c, &err) && class_say_changes(c, before, &changed, &err);
    char *lines = text_take(&conflicts);
    if (good) {
        if (lines)
            printf("%sa person should look at these: what has ended here stays\n", lines);
        say_waiting(c);
        say_sum(merged, "merged", &changed);
    }
    free(lines);
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
        printf("%s\nRemove all gradings and pages of this class? [y/N] ", c->folder);
        fflush(stdout);
        if (!fgets(answer, sizeof answer, stdin) || (answer[0] != 'y' && answer[0] != 'Y')) {
            printf("nothing was changed\n");
            return HPC_EXIT_OK;
        }
    }
    store_close(c->store);
    c->store = NULL;
    folder_remove(c->folder);
    struct text gone = {0};
    text_add(&gone, "%s is gone; what was handed in and the roster are where they were", c->folder);
    class_say(0, "", &gone);
    return HPC_EXIT_OK;
}
