#define _GNU_SOURCE
#include "harness/class/find.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "common/sha256.h"
#include "common/text.h"
#include "harness/handin/handin.h"

static bool is_archive(const char *name)
{
    static const char *const suffixes[] = {".tar.gz", ".tgz", ".tar", ".zip"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const size_t n = strlen(name), m = strlen(suffixes[i]);
        if (n > m && strcasecmp(name + n - m, suffixes[i]) == 0)
            return true;
    }
    return false;
}

/* A folder that holds one archive and no other file is that archive: Moodle and Gradescope put each
 * into a folder of its own. */
static char *archive_inside(const char *folder)
{
    struct dirent **entries;
    char *found = NULL;
    int others = 0, n = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        if (name[0] != '.' && is_archive(name) && !found)
            found = hpc_printf("%s/%s", folder, name);
        else if (name[0] != '.')
            others++;
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    if (others) {
        free(found);
        found = NULL;
    }
    return found;
}

static void hash_archive(struct submission *s)
{
    char buffer[65536];
    struct sha256 hash;
    FILE *f = fopen(s->path, "re");
    sha256_start(&hash);
    for (size_t n; f && (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
        sha256_add(&hash, buffer, n);
    sha256_end(&hash, s->sha256);
    if (!f)
        text_fit(s->refused, sizeof s->refused, "%s: %s", s->name, strerror(errno));
    else
        fclose(f);
}

/* The lab's files of a folder, taken as a grading takes them. */
static void hash_folder(const char *root, const struct lab *lab, struct submission *s)
{
    struct handin h = {.root = ""};
    struct hpc_error err;
    if (handin_open(root, lab, s->path, &h, &err))
        strcpy(s->sha256, h.sha256);
    else
        text_fit(s->refused, sizeof s->refused, "%s", err.text);
    handin_close(&h);
}

static void look_at(const char *root, const struct lab *lab, const char *dir, const char *name,
                    const char *pattern, struct roster *roster, struct submission *s)
{
    struct stat st;
    struct named found;
    *s = (struct submission){.name = hpc_strdup(name), .path = hpc_printf("%s/%s", dir, name)};
    char *inside = archive_inside(s->path);
    if (inside) {
        free(s->path);
        s->path = inside;
    }
    if (stat(s->path, &st) == 0)
        s->time = (long long)st.st_mtime;
    struct roster_student *who = NULL;
    if (gradescope_read(dir, name, roster, &found, &s->time))
        who = roster->made ? NULL : roster_match(roster, found.kind, found.key);
    else
        who = names_student(roster, pattern, lab->name, name, &found);
    if (roster->made && found.key[0]) {
        roster_add(roster, found.key);
        who = roster_find(roster, found.key);
    }
    if (who)
        strcpy(s->student, who->id);
    s->system = found.system;
    s->attempt = found.attempt;
    s->late = found.late;
    if (!who)
        return;
    if (is_archive(s->path))
        hash_archive(s);
    else
        hash_folder(root, lab, s);
}

static int by_student(const void *a, const void *b)
{
    const struct submission *x = a, *y = b;
    int order = strcasecmp(x->student, y->student);
    if (!order && x->attempt && y->attempt)
        order = (x->attempt > y->attempt) - (x->attempt < y->attempt);
    if (!order)
        order = (x->time > y->time) - (x->time < y->time);
    return order ? order : strverscmp(x->name, y->name);
}

static void number_attempts(struct submissions *s)
{
    for (int i = 0; i < s->n; i++)
        s->at[i].attempt =
            i && !strcmp(s->at[i].student, s->at[i - 1].student) ? s->at[i - 1].attempt + 1 : 1;
}

/* What a folder holds besides submissions. */
static bool passed_over(const char *dir, const char *name)
{
    struct stat st;
    char *path = hpc_printf("%s/%s", dir, name);
    const bool folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    free(path);
    return name[0] == '.' || (!folder && !is_archive(name));
}

bool submissions_find(const char *root, const struct lab *lab, const char *dir, const char *pattern,
                      struct roster *roster, struct submissions *s, struct hpc_error *err)
{
    struct dirent **entries;
    *s = (struct submissions){.n = 0};
    roster->made = roster->n == 0;
    int n = scandir(dir, &entries, NULL, alphasort);
    if (n < 0)
        return hpc_fail(err, "%s: %s, expected a folder of what was handed in", dir,
                        strerror(errno));
    s->at = hpc_calloc((unsigned long)n + 1, sizeof *s->at);
    for (int i = 0; i < n; i++) {
        if (!passed_over(dir, entries[i]->d_name))
            look_at(root, lab, dir, entries[i]->d_name, pattern, roster, &s->at[s->n++]);
        free(entries[i]);
    }
    free(entries);
    if (s->n == 0) {
        submissions_free(s);
        return hpc_fail(err, "%s: no archive and no folder in it, expected what was handed in",
                        dir);
    }
    qsort(s->at, (size_t)s->n, sizeof *s->at, by_student);
    number_attempts(s);
    return true;
}

void submissions_free(struct submissions *s)
{
    for (int i = 0; i < s->n; i++) {
        free(s->at[i].path);
        free(s->at[i].name);
    }
    free(s->at);
    *s = (struct submissions){.n = 0};
}
