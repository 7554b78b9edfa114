/* One submission, graded as ./grade --from grades it, and what of its sheets was told before. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/command.h"
#include "common/interrupt.h"
#include "common/json.h"
#include "common/scratch.h"
#include "common/sha256.h"
#include "common/text.h"
#include "common/version.h"
#include "harness/class/class.h"
#include "harness/grade/task.h"
#include "harness/handin/handin.h"
#include "harness/machine/turn.h"

void class_fingerprint(const struct class_state *c, const struct submission *s, char hex[65],
                       uint64_t *seed)
{
    struct sha256 hash;
    char *seeded = hpc_printf("%s\n%s\n%s", c->seed, s->student, s->sha256);
    char *graded = hpc_printf("%s\n%s\n%s\n%s\n%s\n%d %d", s->student, s->sha256, c->lab_hash,
                              c->seed, HPC_VERSION, c->o.quick, (int)c->device);
    sha256_start(&hash);
    sha256_add(&hash, seeded, strlen(seeded));
    sha256_end(&hash, hex);
    hex[16] = '\0';
    *seed = strtoull(hex, NULL, 16) >> 1; /* as it is typed, a number of 63 bits */
    sha256_start(&hash);
    sha256_add(&hash, graded, strlen(graded));
    sha256_end(&hash, hex);
    free(graded);
    free(seeded);
}

static void start_record(const struct class_state *c, const struct submission *s, uint64_t seed,
                         struct record *r)
{
    text_fit(r->lab, sizeof r->lab, "%s", c->project->lab->name);
    text_fit(r->implementation, sizeof r->implementation, "student");
    text_fit(r->device, sizeof r->device, "%s", device_name(c->device));
    text_fit(r->version, sizeof r->version, "%s", HPC_VERSION);
    text_fit(r->jail, sizeof r->jail, "%s", jail_description());
    text_fit(r->submission, sizeof r->submission, "%s", s->name);
    text_fit(r->student, sizeof r->student, "%s", s->student);
    text_fit(r->sha256, sizeof r->sha256, "%s", s->sha256);
    r->seed = seed;
    r->quick = c->o.quick;
    r->official = !c->o.quick;
    r->gradings = 1;
}

/* Whose name a sheet must have: the roster's, where it says one. */
static const char *name_of(const struct class_state *c, const struct submission *s)
{
    const struct roster_student *who = roster_find(&c->roster, s->student);
    return who && who->name[0] ? who->name : NULL;
}

/* A hand-in that can't be read is a verdict too, of each task. */
static void refuse(const struct lab *lab, const char *why, struct record *r)
{
    for (int i = 0; i < lab->n_tasks; i++) {
        struct task_result *t = &r->tasks[r->n_tasks++];
        text_fit(t->name, sizeof t->name, "%s", lab->tasks[i].name);
        text_fit(t->title, sizeof t->title, "%s", lab->tasks[i].title);
        t->max_points = lab_task_points(&lab->tasks[i]);
        outcome_set(&t->outcome, VERDICT_REJECTED, "%s", why);
    }
    r->complete = true;
}

/* A task of a record to those of the ledger, where its sheet was marked and has room there. */
static void add_told(const struct lab *lab, json_t *tasks, const json_t *task)
{
    const char *name = json_string_value(json_object_get(task, "name"));
    const struct lab_task *known = name ? lab_task_find(lab, name) : NULL;
    const json_t *answers = json_object_get(task, "answers"),
                 *counted = json_object_get(answers, "counted"),
                 *given = json_object_get(counted, "given"),
                 *time = json_object_get(counted, "time");
    if (!known || !json_is_object(given))
        return;
    if (!json_object_get(tasks, name))
        json_object_set_new(tasks, name, json_pack("{s:[]}", "versions"));
    json_t *kept = json_object_get(tasks, name), *versions = json_object_get(kept, "versions");
    if (json_is_true(json_object_get(answers, "final")))
        json_object_set_new(kept, "final", json_true());
    for (size_t i = 0; i < json_array_size(versions); i++)
        if (json_equal(json_object_get(json_array_get(versions, i), "answers"), given))
            return;
    if ((int)json_array_size(versions) < known->versions)
        json_array_append_new(versions, json_pack("{s:O, s:O}", "time", time, "answers", given));
}

static bool same_team(const struct class_state *c, const char *one, const char *other)
{
    const struct roster_student *a = roster_find(&c->roster, one),
                                *b = roster_find(&c->roster, other);
    return !strcasecmp(one, other) || (a && b && a->group[0] && !strcasecmp(a->group, b->group));
}

char *class_told(const struct class_state *c, const struct submission *s)
{
    json_t *ledger = json_pack("{s:{}}", "tasks"), *tasks = json_object_get(ledger, "tasks");
    for (int i = 0; i < c->n_gradings; i++) {
        const struct store_grading *g = &c->grading[i];
        struct hpc_error none;
        long long ended;
        if (!find_time(g->ended, &ended) || ended >= s->time ||
            !same_team(c, g->student, s->student))
            continue;
        char *text = store_record(c->store, g->id, &none);
        json_t *record = text ? json_loads(text, 0, NULL) : NULL, *task;
        size_t k;
        json_array_foreach(json_object_get(record, "tasks"), k, task)
            add_told(c->project->lab, tasks, task);
        json_decref(record);
        free(text);
    }
    char *told = json_object_size(tasks) ? json_dumps(ledger, 0) : NULL;
    json_decref(ledger);
    return told;
}

/* A folder with the ledger, the caller's; NULL where nothing was told. False with *err. */
static bool keep_told(const char *root, const char *told, char **folder, struct hpc_error *err)
{
    *folder = told ? scratch_name(root, "answers") : NULL;
    if (!told)
        return true;
    char *path = hpc_printf("%s/answers.json", *folder);
    FILE *f = folder_make(*folder, err) ? fopen(path, "wxe") : NULL;
    bool good = f && fputs(told, f) >= 0;
    good = f && fclose(f) == 0 && good;
    free(path);
    return good || hpc_fail_env(err, "%s: %s, expected room", *folder, strerror(errno));
}

int class_grade_one(const struct class_state *c, const struct class_job *j, const char *path,
                    int *ended)
{
    const struct submission *s = j->s;
    char *told;
    struct hpc_error err;
    struct handin handed_in = {.root = ""};
    struct turn turn;
    struct project graded = *c->project;
    const struct lab *lab = graded.lab;
    struct record *r = hpc_calloc(1, sizeof *r);
    bool good = keep_told(c->project->root, j->told, &told, &err);
    good = turn_open(c->project->root, &turn, &err) && good;
    start_record(c, s, j->seed, r);
    if (good)
        turn_share(&turn);
    if (good && !handin_open(c->project->root, lab, s->path, &handed_in, &err)) {
        good = err.status == HPC_EXIT_USAGE; /* what was handed in is off, not this machine */
        if (good)
            refuse(lab, err.text, r);
    } else if (good && strcmp(handed_in.sha256, s->sha256) != 0) {
        good = hpc_fail_env(&err,
                            "%s: %s is not what it was when this began; the next `class grade` "
                            "takes it as it is now",
                            s->student, s->name);
    } else if (good) {
        graded.root = handed_in.root;
        strcpy(r->remark, handed_in.unread);
        struct grading g = {.project = &graded,
                            .implementation = "student",
                            .seed = j->seed,
                            .device = c->device,
                            .quick = c->o.quick,
                            .handed_in = true,
                            .student = name_of(c, s),
                            .kept = told,
                            .turn = &turn};
        for (int i = 0; i < lab->n_tasks; i++) {
            grade_task(&g, &lab->tasks[i], &r->tasks[r->n_tasks++]);
            if (ended)
                __atomic_store_n(ended, i + 1, __ATOMIC_RELAXED);
        }
        r->complete = !hpc_interrupted();
    }
    good = good && record_write(r, machine_here(), path, &err);
    handin_close(&handed_in);
    turn_close(&turn);
    if (told)
        folder_remove(told);
    free(told);
    free(r);
    return good ? HPC_EXIT_OK : hpc_report(&err);
}
