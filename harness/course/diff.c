/* hpclab class diff: the last two attempts of a student. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "harness/record/record.h"
#include "harness/course/actions.h"
#include "harness/handin/handin.h"

/* One attempt as a tree: its lab's files. */
static bool lay_out(const struct class_state *c, const struct submission *s, struct handin *h,
                    struct hpc_error *err)
{
    return handin_open(c->project->root, c->project->lab, s->path, h, err);
}

static void print_points(const struct class_state *c, const struct submission *s)
{
    const struct store_grading *g = class_counts(c, s, NULL);
    struct text line = {0};
    char points[80] = "not graded";
    if (g)
        record_points(g->score, g->max_score, g->bonus, points, sizeof points);
    text_add(&line, "attempt %d, %s: %s", s->attempt, s->name, points);
    if (g && g->pending > 0)
        text_add(&line, "; %g more pending", g->pending);
    class_say(0, "", &line);
}

/* diff -u of a file that one of both has; what it prints are a student's words. True where it
 * differs. */
static bool print_diff(const struct class_state *c, const struct handin *a, const struct handin *b,
                       const char *file)
{
    char *one = hpc_printf("%s/labs/%s/%s", a->root, c->project->lab->name, file);
    char *two = hpc_printf("%s/labs/%s/%s", b->root, c->project->lab->name, file);
    char *first = command_quoted(one), *second = command_quoted(two);
    char *command =
        hpc_printf("diff -uN --label before/%s --label after/%s %s %s", file, file, first, second);
    char *line = NULL;
    size_t room = 0;
    bool differs = false;
    FILE *f = access(one, F_OK) == 0 || access(two, F_OK) == 0 ? popen(command, "r") : NULL;
    while (f && getline(&line, &room, f) > 0) {
        line[strcspn(line, "\n")] = '\0';
        hpc_harmless(line);
        puts(line);
        differs = true;
    }
    if (f)
        pclose(f);
    free(line);
    free(command);
    free(second);
    free(first);
    free(two);
    free(one);
    return differs;
}

int class_verb_diff(struct class_state *c, const char *student, bool yes)
{
    struct hpc_error err;
    const struct roster_student *who;
    const struct submission *last = NULL, *before = NULL;
    struct handin a = {.root = ""}, b = {.root = ""};
    (void)yes;
    if (!class_read(c, NULL, &err) || !(who = class_find_student(c, student, &err)))
        return class_ended(&err);
    for (int i = 0; i < c->submissions.n; i++)
        if (class_is_of(c, &c->submissions.at[i], who)) {
            before = last;
            last = &c->submissions.at[i];
        }
    bool good = before || hpc_fail(&err, "%s: %s, expected two attempts", who->id,
                                   last ? "one attempt" : "handed nothing in");
    good = good && lay_out(c, before, &a, &err) && lay_out(c, last, &b, &err);
    if (good) {
        print_points(c, before);
        print_points(c, last);
        bool differs = false;
        for (int i = 0; i < c->project->lab->n_tasks; i++)
            differs |= print_diff(c, &a, &b, c->project->lab->tasks[i].file);
        if (c->project->lab->report[0])
            differs |= print_diff(c, &a, &b, c->project->lab->report);
        if (!differs)
            puts("no file of the tasks differs");
    }
    handin_close(&a);
    handin_close(&b);
    return good ? HPC_EXIT_OK : class_ended(&err);
}
