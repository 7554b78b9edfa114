/* The canary: each node grades the references before it grades a submission. FOLDER/cluster/nodes/
 * has NODE.json, that record with the seconds of the baseline there, and NODE.ok or NODE.bad, whose
 * text is what was tried and why it failed. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/scratch.h"
#include "common/text.h"
#include "common/version.h"
#include "harness/cluster/cluster.h"
#include "harness/grade/task.h"
#include "harness/jail/jail.h"
#include "harness/machine/turn.h"

static const char *node_name(void)
{
    const char *name = getenv("SLURMD_NODENAME");
    return name && *name && !strchr(name, '/') ? name : "node";
}

/* Write it whole or not at all. */
static bool write_word(const char *path, const char *text, struct hpc_error *err)
{
    char *temporary = scratch_beside(path);
    FILE *f = fopen(temporary, "we");
    bool good = f && fputs(text, f) >= 0;
    good = f && fclose(f) == 0 && good && rename(temporary, path) == 0;
    if (!good)
        hpc_fail_env(err, "%s: %s, expected room for it", path, strerror(errno));
    free(temporary);
    return good;
}

static void start_record(const struct class_state *c, struct record *r)
{
    text_fit(r->lab, sizeof r->lab, "%s", c->project->lab->name);
    text_fit(r->implementation, sizeof r->implementation, "reference");
    text_fit(r->device, sizeof r->device, "%s", device_name(c->device));
    text_fit(r->version, sizeof r->version, "%s", HPC_VERSION);
    text_fit(r->jail, sizeof r->jail, "%s", jail_description());
    r->seed = 1;
    r->quick = true;
    r->gradings = 1;
}

/* The references' programs, as a look grades them; *why is the first that is not right. */
static bool try_references(const struct class_state *c, const struct turn *turn, struct record *r,
                           struct hpc_error *why)
{
    const struct lab *lab = c->project->lab;
    struct grading g = {.project = c->project,
                        .implementation = "reference",
                        .seed = r->seed,
                        .device = c->device,
                        .quick = true,
                        .turn = turn};
    bool good = true;
    start_record(c, r);
    for (int i = 0; i < lab->n_tasks && good; i++) {
        if (!lab->tasks[i].reference[0])
            continue;
        struct task_result *t = &r->tasks[r->n_tasks++];
        grade_task(&g, &lab->tasks[i], t);
        good = t->outcome.verdict == VERDICT_PASS || verdict_waits(t->outcome.verdict) ||
               hpc_fail_env(why, "the reference of %s is %s: %s", t->name,
                            verdict_names[t->outcome.verdict], t->outcome.reason);
    }
    r->complete = good;
    return good;
}

static bool try_node(const struct class_state *c, const char *record, struct hpc_error *why)
{
    struct record *r = hpc_calloc(1, sizeof *r);
    struct turn turn;
    bool good = (c->o.quick || jail_official(c->project->root, why)) &&
                turn_open(c->project->root, &turn, why);
    if (good) {
        turn_share(&turn);
        good = try_references(c, &turn, r, why);
        turn_close(&turn);
    }
    good = good && record_write(r, machine_here(), record, why);
    free(r);
    return good;
}

bool node_good(const struct class_state *c, const char *folder, struct hpc_error *err)
{
    char *nodes = hpc_printf("%s/nodes", folder), *name = hpc_printf("%s.ok", node_name());
    char *ok = hpc_printf("%s/%s", nodes, name), *bad = hpc_printf("%s/%s.bad", nodes, node_name());
    char *record = hpc_printf("%s/%s.json", nodes, node_name());
    char *tried = hpc_printf("%s %s %d\n", HPC_VERSION, c->lab_hash, c->o.quick);
    struct hpc_error why = {.text = ""};
    bool good = folder_make(nodes, err);
    if (good && access(bad, F_OK) == 0) {
        good = hpc_fail_env(err, "%s: this node failed before", bad);
    } else if (good) {
        char *before = access(ok, F_OK) == 0 ? command_text(nodes, name, NULL) : NULL;
        const bool known = before && strcmp(before, tried) == 0;
        free(before);
        if (!known && try_node(c, record, &why))
            good = write_word(ok, tried, err);
        else if (!known) {
            write_word(bad, why.text, NULL);
            good = hpc_fail_env(err, "%s: %s", node_name(), why.text);
        }
    }
    free(tried);
    free(record);
    free(bad);
    free(ok);
    free(name);
    free(nodes);
    return good;
}

static int is_bad(const struct dirent *e)
{
    const size_t n = strlen(e->d_name);
    return n > 4 && !strcmp(e->d_name + n - 4, ".bad");
}

static void say_bad(const char *nodes, const char *file, const char *name)
{
    struct hpc_error line;
    char *why = command_text(nodes, file, NULL);
    if (why)
        why[strcspn(why, "\n")] = '\0';
    hpc_fail_env(&line, "node %s is left out: %s (%s/%s, to be removed once it is well)", name,
                 why ? why : "it failed", nodes, file);
    hpc_report(&line);
    free(why);
}

char *nodes_bad(const char *folder, struct text *said, bool *news)
{
    char *nodes = hpc_printf("%s/nodes", folder);
    struct dirent **entries;
    struct text list = {0};
    const int n = scandir(nodes, &entries, is_bad, alphasort);
    bool found = false;
    for (int i = 0; i < n; i++) {
        const char *file = entries[i]->d_name;
        char *name = hpc_printf("%.*s", (int)strlen(file) - 4, file);
        char *listed = hpc_printf("/%s/", name); /* no name has a slash */
        text_list(&list, ",", name);
        if (!strstr(text_string(said), listed)) {
            say_bad(nodes, file, name);
            text_add(said, "%s", listed);
            found = true;
        }
        free(listed);
        free(name);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    if (news)
        *news = found;
    free(nodes);
    return list.length ? text_take(&list) : NULL;
}
