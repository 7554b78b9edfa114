#define _GNU_SOURCE
#include "harness/class/class.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/command.h"
#include "common/random.h"
#include "common/sha256.h"

#define LOCK_TRIES 30 /* tenths of a second, in which the children of one that was killed end */

static void hash_file(struct sha256 *hash, const char *name, char *path)
{
    char buffer[65536];
    FILE *f = fopen(path, "re");
    sha256_add(hash, name, strlen(name) + 1);
    for (size_t n; f && (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
        sha256_add(hash, buffer, n);
    if (f)
        fclose(f);
    free(path);
}

static int is_shown(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

/* What is asked: the lab, and what the term varies of it. */
static void hash_lab(const char *root, const char *lab, char hex[65])
{
    static const char *const files[] = {"lab.ini", "hidden.ini", "expected.ini", "marker.c"};
    struct sha256 hash;
    sha256_start(&hash);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        hash_file(&hash, files[i], hpc_printf("%s/labs/%s/%s", root, lab, files[i]));
    char *marker = hpc_printf("%s/labs/%s/marker", root, lab);
    struct dirent **entries;
    const int n = scandir(marker, &entries, is_shown, alphasort);
    for (int i = 0; i < n; free(entries[i++]))
        hash_file(&hash, entries[i]->d_name, hpc_printf("%s/%s", marker, entries[i]->d_name));
    if (n >= 0)
        free(entries);
    free(marker);
    hash_file(&hash, "term.ini", hpc_printf("%s/term.ini", root));
    sha256_end(&hash, hex);
}

static bool take_lock(struct class_state *c, struct hpc_error *err)
{
    char *path = hpc_printf("%s/lock", c->folder);
    int tries = 0;
    c->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    while (c->lock >= 0 && flock(c->lock, LOCK_EX | LOCK_NB) != 0 && ++tries < LOCK_TRIES)
        usleep(100000);
    if (c->lock < 0)
        hpc_fail_env(err, "%s: %s, expected a file to lock", path, strerror(errno));
    else if (tries == LOCK_TRIES)
        hpc_fail(err, "%s: another hpclab class is at work there, expected it to end first",
                 c->folder);
    free(path);
    return c->lock >= 0 && tries < LOCK_TRIES;
}

/* The class's own seed, drawn when it is made; its lab. */
static bool read_words(struct class_state *c, enum class_use use, struct hpc_error *err)
{
    char *seed = NULL, *lab = NULL;
    bool good = store_word(c->store, "seed", &seed, err) && store_word(c->store, "lab", &lab, err);
    if (good && seed && lab) {
        snprintf(c->seed, sizeof c->seed, "%s", seed);
        good = strcmp(lab, c->project->lab->name) == 0 ||
               hpc_fail(err, "%s: is a class of %s, expected one of %s", c->folder, lab,
                        c->project->lab->name);
        good = good && (use != CLASS_MAKE || !c->o.seed || c->o.seed == strtoull(seed, NULL, 10) ||
                        hpc_fail(err,
                                 "--seed %" PRIu64 ": %s has its seed since it was made, "
                                 "expected --folder of another class",
                                 c->o.seed, c->folder));
    } else if (good && use == CLASS_MAKE) {
        snprintf(c->seed, sizeof c->seed, "%" PRIu64, c->o.seed ? c->o.seed : hpc_random_seed());
        good = store_set_word(c->store, "seed", c->seed, err) &&
               store_set_word(c->store, "lab", c->project->lab->name, err);
    } else if (good)
        good = hpc_fail(err, "%s: nothing graded yet, expected `hpclab class grade DIR` first",
                        c->folder);
    free(seed);
    free(lab);
    return good;
}

static bool make_folders(const struct class_state *c, struct hpc_error *err)
{
    char *spool = hpc_printf("%s/spool", c->folder),
         *students = hpc_printf("%s/students", c->folder);
    const bool good = folder_make(c->folder, err) && chmod(c->folder, 0700) == 0 &&
                      folder_make(spool, err) && folder_make(students, err);
    free(spool);
    free(students);
    return good;
}

static char *absolute(const char *path)
{
    char real[PATH_MAX];
    return hpc_strdup(path && realpath(path, real) ? real : path ? path : "");
}

bool class_open(struct class_state *c, const struct project *project, const struct class_options *o,
                enum class_use use, struct hpc_error *err)
{
    char here[PATH_MAX] = "";
    *c = (struct class_state){.project = project, .o = *o, .lock = -1};
    umask(0077); /* all that is kept of a class is its instructors' */
    if (!o->folder)
        c->folder = hpc_printf("%s/results/class/%s", project->root, project->lab->name);
    else if (o->folder[0] == '/' || !getcwd(here, sizeof here))
        c->folder = hpc_strdup(o->folder);
    else
        c->folder = hpc_printf("%s/%s", here, o->folder);
    char *path = hpc_printf("%s/class.db", c->folder);
    bool good =
        use == CLASS_MAKE || access(path, F_OK) == 0 ||
        hpc_fail(err, "%s: no class is there, expected `hpclab class grade DIR` first", c->folder);
    good = good && make_folders(c, err);
    if (good) { /* as it is said, without "..", wherever a link leads */
        char *said = c->folder;
        c->folder = absolute(said);
        free(said);
    }
    good = good && (use == CLASS_LOOK || take_lock(c, err)) &&
           (c->store = store_open(path, use == CLASS_MAKE, err)) != NULL &&
           read_words(c, use, err) &&
           lab_device(project->lab, o->device ? o->device : "auto", &c->device, err);
    if (good)
        hash_lab(project->root, project->lab->name, c->lab_hash);
    free(path);
    return good;
}

void class_close(struct class_state *c)
{
    store_close(c->store);
    roster_free(&c->roster);
    submissions_free(&c->submissions);
    free(c->grading);
    free(c->folder);
    if (c->lock >= 0)
        close(c->lock);
    *c = (struct class_state){.lock = -1};
}

/* How the class was graded the last time; kept by the store until the process ends. */
static bool remember(struct class_state *c, char **dir, struct hpc_error *err)
{
    enum { DIR_WORD, ROSTER_WORD, PATTERN_WORD, DUE_WORD, QUICK_WORD, WORDS };
    static const char *const keys[WORDS] = {"dir", "roster", "pattern", "due", "quick"};
    char *word[WORDS] = {NULL};
    bool good = true, all = true;
    for (int i = 0; i < WORDS && good; i++) {
        good = store_word(c->store, keys[i], &word[i], err);
        all = all && word[i];
    }
    if (good && !all)
        good = hpc_fail(err, "%s: nothing graded yet, expected `hpclab class grade DIR` first",
                        c->folder);
    if (!good) {
        for (int i = 0; i < WORDS; i++)
            free(word[i]);
        return false;
    }
    *dir = word[DIR_WORD];
    c->o.roster = *word[ROSTER_WORD] ? word[ROSTER_WORD] : NULL;
    c->o.pattern = *word[PATTERN_WORD] ? word[PATTERN_WORD] : NULL;
    c->o.due = *word[DUE_WORD] ? word[DUE_WORD] : NULL;
    c->o.quick = *word[QUICK_WORD] == '1';
    free(word[QUICK_WORD]);
    return true;
}

static bool note(struct class_state *c, const char *dir, struct hpc_error *err)
{
    char *where = absolute(dir), *roster = absolute(c->o.roster);
    const bool good = store_set_word(c->store, "dir", where, err) &&
                      store_set_word(c->store, "roster", roster, err) &&
                      store_set_word(c->store, "pattern", c->o.pattern ? c->o.pattern : "", err) &&
                      store_set_word(c->store, "due", c->o.due ? c->o.due : "", err) &&
                      store_set_word(c->store, "lab_hash", c->lab_hash, err) &&
                      store_set_word(c->store, "quick", c->o.quick ? "1" : "0", err);
    free(roster);
    free(where);
    return good;
}

/* A pipe, as of <(..), is empty when regrade reads it again. */
static bool read_roster(struct class_state *c, struct hpc_error *err)
{
    const struct lab *lab = c->project->lab;
    struct stat st;
    double most = 0;
    for (int i = 0; i < lab->n_tasks; i++)
        most += lab_task_worth(&lab->tasks[i]);
    if (stat(c->o.roster, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return hpc_fail(err,
                        "--roster %s: is a pipe or a device, expected a file that stays: `class "
                        "regrade` reads it again",
                        c->o.roster);
    return roster_read(c->o.roster, most, &c->roster, err);
}

bool class_read(struct class_state *c, const char *dir, struct hpc_error *err)
{
    char *where = dir ? hpc_strdup(dir) : NULL, *kept = hpc_printf("%s/loose", c->folder);
    bool good = dir || remember(c, &where, err);
    c->due = 0;
    if (good && c->o.due && !find_time(c->o.due, &c->due))
        good = hpc_fail(err,
                        "--due %s: expected a time such as 2026-11-22T23:59 or "
                        "2026-11-22T23:59 +0100 (UTC where no zone stands)",
                        c->o.due);
    good = good && (!c->o.pattern || names_pattern(c->o.pattern, err)) &&
           (!c->o.roster || read_roster(c, err)) &&
           submissions_find(c->project->root, c->project->lab, where, c->o.pattern, kept,
                            &c->roster, &c->submissions, err) &&
           (!dir || note(c, dir, err)) && class_gradings(c, err);
    free(kept);
    free(where);
    return good;
}

bool class_gradings(struct class_state *c, struct hpc_error *err)
{
    free(c->grading);
    c->n_gradings = store_all(c->store, &c->grading, err);
    return c->n_gradings >= 0;
}
