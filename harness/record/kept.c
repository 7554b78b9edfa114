#define _GNU_SOURCE
#include "harness/record/kept.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/defence.h"

bool kept_rule(const char *text, enum regrade *rule, struct hpc_error *err)
{
    *rule = REGRADE_NONE;
    for (int i = REGRADE_WAITING; text && i < REGRADES; i++)
        if (!strcmp(text, regrade_names[i]))
            *rule = (enum regrade)i;
    return !text || *rule != REGRADE_NONE ||
           hpc_fail(err, "--regrade %s: expected waiting or all", text);
}

static bool counts(const struct record *r)
{
    return r->official && (r->complete || r->gradings > 1);
}

/* The name of the record before, once another takes its place. */
static char *aside(const char *path, int gradings)
{
    return hpc_printf("%.*s-%d.json", (int)(strlen(path) - strlen(".json")), path, gradings);
}

static bool follow_rule(struct record *r, const struct record *before, const char *path,
                        struct hpc_error *err)
{
    if (DEFENCE(first_counts) && counts(before) && r->regrade == REGRADE_NONE)
        return hpc_fail(err,
                        "%s: graded officially before, and the first official result counts; "
                        "--regrade waiting grades what waits, --regrade all everything anew",
                        path);
    if (!counts(before) && r->regrade != REGRADE_NONE)
        return hpc_fail(err, "--regrade: %s is no official record yet", path);
    r->gradings = before->gradings + 1;
    r->waited_before[0] = before->waited[0];
    r->waited_before[1] = before->waited[1];
    return true;
}

char *kept_path(const char *root, struct record *r, struct record *before, struct hpc_error *err)
{
    const bool handed_in = r->submission[0] != '\0';
    char *folder = handed_in ? hpc_printf("%s/results/submissions/%s", root, r->submission)
                             : hpc_printf("%s/results/%s", root, r->lab);
    char *path = hpc_printf("%s/%s.json", folder, handed_in ? r->lab : "record");
    struct hpc_error none;
    folder_make(folder, NULL);
    r->gradings = 1;
    memset(before, 0, sizeof *before);
    const bool there = handed_in && access(path, F_OK) == 0;
    const bool is = there && record_read(path, before, &none);
    const bool unknown = there && !is; /* it may have been an official one */
    if (!is || !counts(before))        /* nothing of it stays, nor do its counts */
        memset(before, 0, sizeof *before);
    if (unknown && r->official) {
        hpc_fail_env(err, "%s; expected a record there, or none: move it away", none.text);
        free(path);
        path = NULL;
    } else if (!r->official && (unknown || counts(before))) {
        free(path);
        path = hpc_printf("%s/%s-provisional.json", folder, r->lab);
    } else if ((is || r->regrade != REGRADE_NONE) && r->official &&
               !follow_rule(r, before, path + strlen(root) + 1, err)) {
        free(path);
        path = NULL;
    }
    free(folder);
    return path;
}

bool kept_write(const struct record *r, const char *path, const char *copy, bool set_aside,
                struct hpc_error *err)
{
    if (set_aside && r->regrade != REGRADE_NONE) {
        char *old = aside(path, r->gradings - 1);
        const bool moved = rename(path, old) == 0;
        if (!moved)
            hpc_fail_env(err, "%s: %s; expected to keep the record before", old, strerror(errno));
        free(old);
        if (!moved)
            return false;
    }
    return record_write(r, machine_here(), path, err) &&
           (!copy || record_write(r, machine_here(), copy, err));
}

bool kept_task(const struct record *r, const struct record *before, const char *name,
               struct task_result *t)
{
    for (int i = 0; r->regrade == REGRADE_WAITING && i < before->n_tasks; i++)
        if (!strcmp(before->tasks[i].name, name) && !(before->tasks[i].pending > 0)) {
            *t = before->tasks[i];
            return true;
        }
    return false;
}

void kept_count(const struct record *before, struct task_result *t)
{
    t->waited[0] = t->outcome.verdict == VERDICT_NOISY;
    t->waited[1] = t->outcome.verdict == VERDICT_ENVIRONMENT;
    for (int i = 0; i < before->n_tasks; i++)
        for (int k = 0; k < 2 && !strcmp(before->tasks[i].name, t->name); k++)
            t->waited[k] += before->tasks[i].waited[k];
}
