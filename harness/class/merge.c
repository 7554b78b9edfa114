/* Gradings of the same submissions on two machines, made one: what waits here and has ended there,
 * as points for speed on a machine with a GPU, is taken from there, task by task. */
#define _GNU_SOURCE
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <time.h>

#include "common/text.h"
#include "harness/class/class.h"

static double number_of(const json_t *task, const char *key)
{
    return json_number_value(json_object_get(task, key));
}

static const json_t *task_named(const json_t *record, const char *name)
{
    const json_t *task, *tasks = json_object_get(record, "tasks");
    size_t i;
    json_array_foreach(tasks, i, task)
    {
        const char *its_name = json_string_value(json_object_get(task, "name"));
        if (its_name && strcmp(its_name, name) == 0)
            return task;
    }
    return NULL;
}

static double sum_of(const json_t *record, const char *key)
{
    double sum = 0;
    const json_t *task, *tasks = json_object_get(record, "tasks");
    size_t i;
    json_array_foreach(tasks, i, task) sum += number_of(task, key);
    return sum;
}

/* Its points lie beyond the lab's: none wait. */
static bool is_bonus(const json_t *task)
{
    return number_of(task, "max_points") == 0 && number_of(task, "pending") == 0;
}

/* Put into `here` the tasks of `there` of which fewer points wait, and with `bonus` one that has
 * more there; returns how many, and *names has them. */
static int take_tasks(json_t *here, const json_t *there, bool bonus, struct text *names)
{
    json_t *tasks = json_object_get(here, "tasks");
    int taken = 0;
    for (size_t i = 0; i < json_array_size(tasks); i++) {
        const json_t *task = json_array_get(tasks, i);
        const char *name = json_string_value(json_object_get(task, "name"));
        const json_t *other = name ? task_named(there, name) : NULL;
        if (other &&
            (number_of(other, "pending") < number_of(task, "pending") - 1e-9 ||
             (bonus && is_bonus(task) && number_of(other, "points") > number_of(task, "points")))) {
            text_list(names, ", ", name);
            json_array_set_new(tasks, i, json_deep_copy(other));
            taken++;
        }
    }
    json_object_set_new(here, "score", json_real(sum_of(here, "points")));
    json_object_set_new(here, "max_score", json_real(sum_of(here, "max_points")));
    json_object_set_new(here, "pending", json_real(sum_of(here, "pending")));
    return taken;
}

/* Whether a task has no other points than the lab gives it. */
static bool has_points(const struct lab *lab, const struct task_result *t)
{
    const struct lab_task *task = lab_task_find(lab, t->name);
    const double most = task && task->bonus ? lab_task_worth(task) : t->max_points, eps = 1e-6;
    return task && t->points >= 0 && t->points <= most + eps && t->max_points >= 0 &&
           t->pending >= 0 && fabs(t->max_points + t->pending - lab_task_points(task)) < eps;
}

/* A line of each task that has ended on both machines, right on one and not on the other. */
static void tell_conflicts(const struct record *here, const struct record *there,
                           const char *student, struct text *conflicts)
{
    for (int i = 0; i < here->n_tasks; i++)
        for (int j = 0; j < there->n_tasks; j++) {
            const enum verdict mine = here->tasks[i].outcome.verdict;
            const enum verdict its = there->tasks[j].outcome.verdict;
            if (strcmp(here->tasks[i].name, there->tasks[j].name) == 0 && !verdict_waits(mine) &&
                !verdict_waits(its) && (mine == VERDICT_PASS) != (its == VERDICT_PASS))
                text_add(conflicts, "%s: %s is '%s' here and '%s' there\n", student,
                         here->tasks[i].name, verdict_names[mine], verdict_names[its]);
        }
}

/* Whether a record from there may be taken from: what has another class in its hands may write
 * anything into it. */
static bool may_take(const struct lab *lab, const char *its, const char *mine, const char *where,
                     const char *student, struct text *conflicts, struct hpc_error *err)
{
    struct record *there = hpc_malloc(2 * sizeof *there), *here = there + 1;
    bool good = record_parse(its, where, there, err) && record_parse(mine, where, here, err);
    if (good && there->quick && !here->quick)
        good = hpc_fail(err, "%s: %s was graded with --quick there, expected it without, as here",
                        where, student);
    for (int i = 0; good && i < there->n_tasks; i++)
        good = has_points(lab, &there->tasks[i]) ||
               hpc_fail(err,
                        "%s: %s has %g of %g points in '%.40s', %g pending; expected what %s "
                        "gives",
                        where, student, there->tasks[i].points, there->tasks[i].max_points,
                        there->tasks[i].name, there->tasks[i].pending, lab->name);
    if (good && conflicts)
        tell_conflicts(here, there, student, conflicts);
    free(there);
    return good;
}

/* The newest grading of a submission, whether it counts or not. */
static const struct store_grading *newest(const struct class_state *c,
                                          const struct store_grading *like)
{
    const struct store_grading *found = like;
    for (int i = 0; i < c->n_gradings; i++)
        if (!strcmp(c->grading[i].fingerprint, like->fingerprint) &&
            !strcmp(c->grading[i].student, like->student) && c->grading[i].run > found->run)
            found = &c->grading[i];
    return found;
}

/* "amd-epyc-2c", of the record. */
static void name_machine(const json_t *record, char *name, size_t size)
{
    const char *found =
        json_string_value(json_object_get(json_object_get(record, "machine"), "name"));
    text_fit(name, size, "%s", found ? found : "another machine");
}

/* 1: added; 0: nothing is to be taken, it was, or all that was asked is a look (no conflicts);
 * -1 with *err. */
static int merge_one(struct class_state *c, struct store *other, const struct store_grading *g,
                     const struct store_grading *there, const char *where, struct text *conflicts,
                     struct hpc_error *err)
{
    char *mine = store_record(c->store, g->id, err), *its = store_record(other, there->id, err);
    json_t *here = mine ? json_loads(mine, 0, NULL) : NULL;
    json_t *away = its ? json_loads(its, 0, NULL) : NULL;
    const struct store_grading *last = newest(c, g);
    const bool may =
        mine && its && may_take(c->project->lab, its, mine, where, g->student, conflicts, err);
    int added = may ? 0 : -1;
    struct text names = {0};
    if (added == 0 && conflicts && take_tasks(here, away, true, &names) > 0) {
        struct store_grading row = *g;
        char machine[80];
        name_machine(away, machine, sizeof machine);
        const time_t now = time(NULL);
        struct tm utc;
        row.run = last->run + 1;
        row.score = number_of(here, "score");
        row.max_score = number_of(here, "max_score");
        row.pending = number_of(here, "pending");
        row.may_lower = c->o.allow_lower;
        text_fit(row.note, sizeof row.note, "with what %s graded", machine);
        strftime(row.ended, sizeof row.ended, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
        char *text = json_dumps(here, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
        const bool known = !strcmp(last->note, row.note) && fabs(last->score - row.score) < 1e-9 &&
                           last->may_lower == row.may_lower;
        added = known ? 0 : store_add(c->store, &row, text, err) ? 1 : -1;
        free(text);
    }
    text_free(&names);
    json_decref(here);
    json_decref(away);
    free(its);
    free(mine);
    return added;
}

/* The grading that one of this fingerprint comes after: what counts, else the newest; NULL: none.
 */
static const struct store_grading *earlier(const struct class_state *c, const struct class_job *j)
{
    const struct store_grading *counts = class_counts(c, j->s, NULL), *found = NULL;
    if (counts && strcmp(counts->fingerprint, j->fingerprint) == 0)
        return counts;
    for (int i = 0; i < c->n_gradings; i++)
        if (strcmp(c->grading[i].fingerprint, j->fingerprint) == 0)
            found = &c->grading[i];
    return found;
}

char *class_keep(const struct class_state *c, const struct class_job *j, char *record,
                 struct text *names)
{
    struct hpc_error none;
    const struct store_grading *g = earlier(c, j);
    char *old = g ? store_record(c->store, g->id, &none) : NULL;
    json_t *here = old ? json_loads(record, 0, NULL) : NULL, *there = NULL;
    if (here && (there = json_loads(old, 0, NULL)) && take_tasks(here, there, false, names) > 0) {
        free(record);
        record = json_dumps(here, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    }
    json_decref(there);
    json_decref(here);
    free(old);
    return record;
}

/* Both are of this lab, in one state of it. */
static bool same_lab(const struct class_state *c, struct store *other, const char *path,
                     struct hpc_error *err)
{
    char *lab = NULL, *hash = NULL;
    bool good = store_word(other, "lab", &lab, err) && store_word(other, "lab_hash", &hash, err);
    good = good && ((lab && strcmp(lab, c->project->lab->name) == 0) ||
                    hpc_fail(err, "%s: is a class of %s, expected one of %s", path,
                             lab ? lab : "no lab", c->project->lab->name));
    good = good && ((hash && strcmp(hash, c->lab_hash) == 0) ||
                    hpc_fail(err,
                             "%s: %s was another one there, expected the same lab.ini and hidden "
                             "cases: grade one of both again",
                             path, c->project->lab->name));
    free(hash);
    free(lab);
    return good;
}

/* Of each submission that both have; how many were added, -1 with *err. Without conflicts, which
 * gets lines, all is looked at and nothing taken. */
static int merge_all(struct class_state *c, const struct class_state *away, const char *path,
                     struct text *conflicts, struct hpc_error *err)
{
    int added = 0;
    for (int i = 0; i < c->submissions.n && added >= 0; i++) {
        const struct submission *s = &c->submissions.at[i];
        const struct store_grading *g = s->student[0] ? class_counts(c, s, NULL) : NULL;
        const struct store_grading *there = g ? class_counts(away, s, NULL) : NULL;
        const int one = there ? merge_one(c, away->store, g, there, path, conflicts, err) : 0;
        added = one < 0 ? -1 : added + one;
    }
    return added;
}

int class_take_lower(struct class_state *c, struct hpc_error *err)
{
    int taken = 0;
    for (int i = 0; i < c->submissions.n; i++) {
        const struct submission *s = &c->submissions.at[i];
        const struct store_grading *lower = NULL;
        const struct store_grading *counts = s->student[0] ? class_counts(c, s, &lower) : NULL;
        if (!lower || class_undoes(counts, lower))
            continue;
        struct store_grading row = *lower;
        row.run = newest(c, lower)->run + 1;
        row.may_lower = true;
        char *record = store_record(c->store, lower->id, err);
        const bool good = record && store_add(c->store, &row, record, err);
        free(record);
        if (!good)
            return -1;
        taken++;
    }
    return class_gradings(c, err) ? taken : -1;
}

int class_merge(struct class_state *c, const char *folder, struct text *conflicts,
                struct hpc_error *err)
{
    char *path = hpc_printf("%s/class.db", folder);
    struct class_state away = {.project = c->project};
    int added = -1;
    if (access(path, F_OK) != 0)
        hpc_fail(err, "%s: no class is there, expected the folder of one that was graded elsewhere",
                 folder);
    else
        away.store = store_open_other(path, err);
    if (away.store && same_lab(c, away.store, path, err) && class_gradings(&away, err) &&
        merge_all(c, &away, path, NULL, err) == 0) /* all is looked at before any is taken */
        added = merge_all(c, &away, path, conflicts, err);
    store_close(away.store);
    free(away.grading);
    free(path);
    return added >= 0 && class_gradings(c, err) ? added : -1;
}
