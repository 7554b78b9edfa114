#define _GNU_SOURCE
#include "harness/record/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/command.h"
#include "common/defence.h"
#include "common/scratch.h"

#define HEAD "time,kind,complete,score,max_score,pending,seed,implementation,version,commit,bonus\n"

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

/* ---- the history, and what no later grading takes away -----------------------------------------
 */

/* The commit of a folder's repository; "-" where there is none, or no git. */
static void find_commit(const char *folder, char *commit, size_t size)
{
    const char *const argv[] = {"git", "-C", folder, "rev-parse", "--short=10", "HEAD", NULL};
    char name[] = "/tmp/hpclab-history-XXXXXX";
    snprintf(commit, size, "-");
    if (!command_find("git") || !mkdtemp(name))
        return;
    struct hpc_error err;
    char *text =
        command_run(argv, name, "commit", NULL, &err) ? command_text(name, "commit", &err) : NULL;
    if (text && strspn(text, "0123456789abcdef") >= 7)
        snprintf(commit, size, "%.*s", (int)strcspn(text, "\n"), text);
    free(text);
    folder_remove(name);
}

static const char *kind_of(const struct record *r, bool all)
{
    return r->official ? "official" : !all ? "only" : r->quick ? "quick" : "full";
}

/* One write of a whole line, so that two gradings at once leave two lines. */
static bool add_line(const char *folder, const char *line, struct hpc_error *err)
{
    char *path = hpc_printf("%s/history.csv", folder);
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    char *text = hpc_printf("%s%s", fd >= 0 && lseek(fd, 0, SEEK_END) == 0 ? HEAD : "", line);
    ssize_t length = (ssize_t)strlen(text);
    bool good = fd >= 0 && write(fd, text, (size_t)length) == length;
    if (!good)
        hpc_fail_env(err, "%s: %s; expected a file that can be written", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    free(text);
    free(path);
    return good;
}

/* Whether the record is to replace the best one so far. */
static bool is_best(const char *path, const struct record *r)
{
    struct hpc_error err;
    struct record *best = hpc_calloc(1, sizeof *best);
    bool better = !record_read(path, best, &err) || (r->official && !best->official) ||
                  (r->official == best->official && record_score(r) > record_score(best));
    free(best);
    return better;
}

bool history_add(const char *folder, const char *working, const struct record *r, bool all,
                 const struct machine *m, struct hpc_error *err)
{
    char when[24], commit[16];
    time_t now = time(NULL);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    find_commit(working, commit, sizeof commit);
    char *line = hpc_printf("%s,%s,%s,%.2f,%.2f,%.2f,%llu,%s,%s,%s,%.2f\n", when, kind_of(r, all),
                            r->complete ? "yes" : "no", record_score(r), record_max_score(r),
                            record_pending(r), (unsigned long long)r->seed, r->implementation,
                            r->version, commit, record_bonus(r));
    char *complete = hpc_printf("%s/complete.json", folder);
    char *best = hpc_printf("%s/best.json", folder);
    bool good = add_line(folder, line, err);
    if (good && r->complete && all)
        good = record_write(r, m, complete, err);
    if (good && r->complete && all && !r->quick && is_best(best, r))
        good = record_write(r, m, best, err);
    free(line);
    free(complete);
    free(best);
    return good;
}

static bool read_line(const char *line, struct history_entry *e)
{
    char complete[4];
    e->bonus = 0;
    int n = sscanf(line, "%23[^,],%11[^,],%3[^,],%lf,%lf,%lf,%*[^,],%*[^,],%*[^,],%15[^,\n],%lf",
                   e->when, e->kind, complete, &e->score, &e->max_score, &e->pending, e->commit,
                   &e->bonus);
    e->complete = n >= 7 && strcmp(complete, "yes") == 0;
    hpc_harmless(e->when);
    hpc_harmless(e->kind);
    hpc_harmless(e->commit);
    return n >= 7;
}

int history_read(const char *folder, struct history_entry *entries, int most, struct hpc_error *err)
{
    char line[500];
    char *path = hpc_printf("%s/history.csv", folder);
    FILE *f = scratch_open_regular(path);
    int n = 0;
    if (!f && errno != ENOENT)
        n = -1, hpc_fail(err, "%s: %s; expected the gradings of this lab", path, strerror(errno));
    while (f && fgets(line, sizeof line, f)) {
        struct history_entry e;
        if (!read_line(line, &e))
            continue;
        if (n == most)
            memmove(entries, entries + 1, (size_t)--n * sizeof *entries);
        entries[n++] = e;
    }
    if (f)
        fclose(f);
    free(path);
    return n;
}
