#define _GNU_SOURCE
#include "harness/class/find.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/sha256.h"
#include "common/text.h"
#include "harness/handin/handin.h"

static void hash_text(struct submission *s, const char *text)
{
    struct sha256 hash;
    sha256_start(&hash);
    sha256_add(&hash, text, strlen(text));
    sha256_end(&hash, s->sha256);
}

/* What is no regular file has no bytes to wait for, and one that is too large more than anybody
 * has: grading says so of either. A link may lead anywhere, and is refused unread. */
static void hash_archive(struct submission *s)
{
    char buffer[65536];
    struct sha256 hash;
    struct stat st;
    const int fd = open(s->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
    const bool link = fd < 0 && errno == ELOOP;
    ssize_t n = 0;
    size_t sum = 0;
    sha256_start(&hash);
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        for (; sum <= HANDIN_MOST_ARCHIVE && (n = read(fd, buffer, sizeof buffer)) > 0;
             sum += (size_t)n)
            sha256_add(&hash, buffer, (size_t)n);
    if (!link && (fd < 0 || n < 0))
        text_fit(s->refused, sizeof s->refused, "%s: %s", s->name, strerror(errno));
    sha256_end(&hash, s->sha256);
    if (fd >= 0)
        close(fd);
}

/* The lab's files of a folder, taken as a grading takes them; where none is in it, its archive.
 * What is off is a verdict too, and the same words are the same submission. */
static void hash_folder(const char *root, const struct lab *lab, struct submission *s)
{
    struct handin h = {.root = ""};
    struct hpc_error err;
    char *inside = NULL;
    if (handin_open(root, lab, s->path, &h, &err)) {
        strcpy(s->sha256, h.sha256);
        strcpy(s->unread, h.unread);
    } else if (err.status != HPC_EXIT_USAGE)
        text_fit(s->refused, sizeof s->refused, "%s", err.text);
    else if (h.taken == 0 && (inside = handin_archive_in(s->path)) != NULL) {
        free(s->path);
        s->path = inside;
        hash_archive(s);
    } else
        hash_text(s, err.text);
    handin_close(&h);
}

static void look_at(const char *root, const struct lab *lab, const char *dir, const char *name,
                    const char *pattern, struct roster *roster, struct submission *s)
{
    struct stat st;
    struct named found;
    *s = (struct submission){.name = hpc_strdup(name), .path = hpc_printf("%s/%s", dir, name)};
    const bool folder = stat(s->path, &st) == 0 && S_ISDIR(st.st_mode);
    char *inside = folder ? handin_archive_in(s->path) : NULL;
    if (inside ? lstat(inside, &st) == 0 : stat(s->path, &st) == 0)
        s->time = (long long)st.st_mtime;
    free(inside);
    struct roster_student *who = NULL;
    struct text others = {0};
    if (gradescope_read(dir, name, roster, &found, &others, &s->time))
        who = roster->made ? NULL : roster_match(roster, found.kind, found.key);
    else
        who = names_student(roster, pattern, lab->name, name, &found);
    if (roster->made && found.key[0]) {
        roster_add(roster, found.key);
        who = roster_find(roster, found.key);
    }
    if (who)
        strcpy(s->student, who->id);
    s->with = others.length ? text_take(&others) : NULL;
    s->system = found.system;
    strcpy(s->account, who && roster_match(roster, found.kind, found.key) ? found.account : "");
    s->rest = found.rest;
    s->attempt = found.attempt;
    s->late = found.late;
    for (int kind = ROSTER_ID; kind <= ROSTER_NAME && !who; kind++)
        s->row_left |= roster_left_out(roster, (enum roster_key)kind, found.key) != NULL;
    if (who && folder)
        hash_folder(root, lab, s);
    else if (who)
        hash_archive(s);
}

static int by_student(const void *a, const void *b)
{
    const struct submission *x = a, *y = b;
    int order = strcasecmp(x->student, y->student);
    if (!order) /* a name without a number is the first; a copy's time says nothing of its order */
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

static void forget(struct submission *s)
{
    free(s->path);
    free(s->name);
    free(s->with);
}

/* Whether DIR/NAME becomes *s. A single file that is no archive does where it is somebody's; other
 * files are lists and notes of whoever exported. So is what Moodle has of a submission beside its
 * files. */
static bool take_entry(const char *root, const struct lab *lab, const char *dir, const char *name,
                       const char *pattern, struct roster *roster, struct submission *s)
{
    struct stat st;
    char *path = hpc_printf("%s/%s", dir, name);
    const bool folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    const bool other = !folder && !handin_suffix(name);
    free(path);
    if (name[0] == '.' || !strcmp(name, "__MACOSX") || names_beside(name))
        return false;
    if (other && roster->made) {
        struct named found;
        names_student(roster, pattern, lab->name, name, &found);
        if (!handin_which(lab, name, found.rest))
            return false;
    }
    look_at(root, lab, dir, name, pattern, roster, s);
    s->single = other;
    if (!other || s->student[0])
        return true;
    forget(s);
    return false;
}

/* Whether two entries are of one submission. Canvas numbers files, not attempts: an export has one
 * attempt of each. */
static bool same_lot(const struct submission *a, const struct submission *b)
{
    return !strcmp(a->student, b->student) && !strcmp(a->system, b->system) &&
           (a->attempt == b->attempt || !strcmp(a->system, "Canvas"));
}

/* The single files of a lot that are the lab's, the last one of each, and its archive where there
 * is just one. Returns how many. */
static int choose(const struct lab *lab, const struct submissions *s,
                  const struct submission *first, struct handin_loose *loose)
{
    const struct submission *archive = NULL;
    int n = 0, archives = 0;
    for (struct submission *x = s->at; x < s->at + s->n; x++) {
        struct stat st;
        if (x->joined || !same_lot(first, x))
            continue;
        const char *file = x->single ? handin_which(lab, x->name, x->rest) : NULL;
        if (!x->single && lstat(x->path, &st) == 0 && S_ISREG(st.st_mode)) {
            archive = x;
            archives++;
        }
        int k = 0;
        while (k < n && file && strcmp(loose[k].as, file) != 0)
            k++;
        if (file && (k == n || strverscmp(x->name, loose[k].file) > 0))
            loose[k] = (struct handin_loose){.file = x->name, .as = file};
        n += file && k == n;
    }
    if (n && archives == 1) {
        const size_t tail = archive->rest + handin_suffix(archive->name);
        const char *as = archive->name + strlen(archive->name) - tail;
        loose[n++] =
            (struct handin_loose){.file = archive->name, .as = archive->rest ? as : archive->name};
    }
    return n;
}

/* Single files of the lab's, and what is beside them, become one submission, kept as a folder; one
 * that is none of them counts for nothing beside what is. */
static bool join(const char *root, const struct lab *lab, const char *dir, const char *kept,
                 struct submissions *s, struct submission *first, struct hpc_error *err)
{
    struct handin_loose loose[LAB_MAX_TASKS + 2];
    const int n = choose(lab, s, first, loose);
    char *name = hpc_printf("%.*s", (int)(strlen(first->name) - first->rest), first->name), *path;
    for (size_t k = strlen(name); k && name[k - 1] == '_';)
        name[--k] = '\0';
    err->status = HPC_EXIT_OK;
    path = n ? handin_gather(dir, loose, n, kept, name, err) : NULL;
    bool alone = true;
    for (struct submission *x = s->at; x < s->at + s->n; x++) {
        if (x == first || x->joined || strcmp(x->student, first->student) != 0)
            continue;
        x->joined = x->single && same_lot(first, x);
        for (int k = 0; k < n; k++)
            x->joined |= x->name == loose[k].file;
        alone &= x->joined && x->single;
        if (!x->joined)
            continue;
        first->time = x->time > first->time ? x->time : first->time;
        first->late |= x->late;
    }
    first->single = false;
    if (path) {
        forget(first);
        first->path = path;
        first->name = name;
        first->with = NULL;
        first->attempt = strcmp(first->system, "Canvas") ? first->attempt : 0;
        hash_folder(root, lab, first);
        return true;
    }
    free(name);
    if (n)
        text_fit(first->refused, sizeof first->refused, "%s", err->text);
    else
        first->joined = !alone;
    return !n || err->status == HPC_EXIT_USAGE;
}

static bool join_all(const char *root, const struct lab *lab, const char *dir, const char *kept,
                     struct submissions *s, struct hpc_error *err)
{
    int n = 0;
    bool good = true;
    for (int i = 0; i < s->n && good; i++)
        if (s->at[i].single && !s->at[i].joined && !s->at[i].refused[0])
            good = join(root, lab, dir, kept, s, &s->at[i], err);
    for (int i = 0; i < s->n; i++)
        if (s->at[i].joined)
            forget(&s->at[i]);
        else
            s->at[n++] = s->at[i];
    s->n = n;
    return good;
}

bool submissions_find(const char *root, const struct lab *lab, const char *dir, const char *pattern,
                      const char *kept, struct roster *roster, struct submissions *s,
                      struct hpc_error *err)
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
        s->n += take_entry(root, lab, dir, entries[i]->d_name, pattern, roster, &s->at[s->n]);
        free(entries[i]);
    }
    free(entries);
    if (roster->made)
        submissions_attempts(s, roster);
    if (s->n == 0) {
        submissions_free(s);
        return hpc_fail(err, "%s: no archive and no folder in it, expected what was handed in",
                        dir);
    }
    submissions_accounts(s);
    if (!join_all(root, lab, dir, kept, s, err)) {
        submissions_free(s);
        return false;
    }
    qsort(s->at, (size_t)s->n, sizeof *s->at, by_student);
    number_attempts(s);
    return true;
}

void submissions_free(struct submissions *s)
{
    for (int i = 0; i < s->n; i++)
        forget(&s->at[i]);
    free(s->at);
    *s = (struct submissions){.n = 0};
}
