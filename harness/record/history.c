#define _GNU_SOURCE
#include "harness/record/history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/command.h"

#define HEAD "time,kind,complete,score,max_score,pending,seed,implementation,version,commit\n"

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
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
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
    char *line = hpc_printf("%s,%s,%s,%.2f,%.2f,%.2f,%llu,%s,%s,%s\n", when, kind_of(r, all),
                            r->complete ? "yes" : "no", record_score(r), record_max_score(r),
                            record_pending(r), (unsigned long long)r->seed, r->implementation,
                            r->version, commit);
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
    int n = sscanf(line, "%23[^,],%11[^,],%3[^,],%lf,%lf,%lf,%*[^,],%*[^,],%*[^,],%15[^,\n]",
                   e->when, e->kind, complete, &e->score, &e->max_score, &e->pending, e->commit);
    e->complete = n == 7 && strcmp(complete, "yes") == 0;
    hpc_harmless(e->when);
    hpc_harmless(e->kind);
    hpc_harmless(e->commit);
    return n == 7;
}

int history_read(const char *folder, struct history_entry *entries, int most, struct hpc_error *err)
{
    char line[500];
    char *path = hpc_printf("%s/history.csv", folder);
    FILE *f = fopen(path, "re");
    int n = 0;
    if (!f)
        n = -1, hpc_fail(err, "%s: %s; expected the gradings of this lab: type ./grade first", path,
                         strerror(errno));
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
