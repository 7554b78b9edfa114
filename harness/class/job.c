/* One submission, graded as ./grade --from grades it. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/interrupt.h"
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

int class_grade_one(const struct class_state *c, const struct submission *s, uint64_t seed,
                    const char *path, int *ended)
{
    struct hpc_error err;
    struct handin handed_in = {.root = ""};
    struct turn turn;
    struct project graded = *c->project;
    const struct lab *lab = graded.lab;
    struct record *r = hpc_calloc(1, sizeof *r);
    bool good = turn_open(c->project->root, &turn, &err);
    start_record(c, s, seed, r);
    if (good)
        turn_share(&turn);
    if (good && !handin_open(c->project->root, lab, s->path, &handed_in, &err)) {
        good = err.status == HPC_EXIT_USAGE; /* what was handed in is off, not this machine */
        if (good)
            refuse(lab, err.text, r);
    } else if (good) {
        graded.root = handed_in.root;
        strcpy(r->remark, handed_in.unread);
        struct grading g = {.project = &graded,
                            .implementation = "student",
                            .seed = seed,
                            .device = c->device,
                            .quick = c->o.quick,
                            .handed_in = true,
                            .student = name_of(c, s),
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
    free(r);
    return good ? HPC_EXIT_OK : hpc_report(&err);
}
