/* A site's file, and the head of a batch script that is made of it. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/command.h"
#include "common/ini.h"
#include "common/nearest.h"
#include "common/text.h"
#include "harness/cluster/cluster.h"

/* Keys of [site]: words, numbers, and yes or no. */
enum site_kind { SITE_WORD, SITE_WORDS, SITE_COUNT, SITE_SWITCH };
static const struct {
    const char *name;
    enum site_kind kind;
    size_t at;
    int low, high;
} keys[] = {
    {"partition", SITE_WORD, offsetof(struct site, partition), 0, 0},
    {"account", SITE_WORD, offsetof(struct site, account), 0, 0},
    {"gres", SITE_WORD, offsetof(struct site, gres), 0, 0},
    {"constraint", SITE_WORD, offsetof(struct site, constraint), 0, 0},
    {"memory", SITE_WORD, offsetof(struct site, memory), 0, 0},
    {"modules", SITE_WORDS, offsetof(struct site, modules), 0, 0},
    {"path", SITE_WORD, offsetof(struct site, path), 0, 0},
    {"options", SITE_WORDS, offsetof(struct site, options), 0, 0},
    {"minutes", SITE_COUNT, offsetof(struct site, minutes), 2, 10080},
    {"cpus", SITE_COUNT, offsetof(struct site, cpus), 1, 4096},
    {"at_once", SITE_COUNT, offsetof(struct site, at_once), 1, 100000},
    {"tries", SITE_COUNT, offsetof(struct site, tries), 1, 100},
    {"a_day", SITE_COUNT, offsetof(struct site, a_day), 1, 1000},
    {"exclusive", SITE_SWITCH, offsetof(struct site, exclusive), 0, 0},
};
enum { N_KEYS = sizeof keys / sizeof *keys };

static bool is_words(const char *value, bool one)
{
    for (const char *p = value; *p; p++)
        if (!isgraph((unsigned char)*p) && (one || *p != ' '))
            return false;
    return *value != '\0';
}

static bool read_key(const struct ini_file *file, const struct ini_key *key, struct site *site,
                     struct hpc_error *err)
{
    const char *names[N_KEYS], *v = key->value;
    int i = 0;
    for (int k = 0; k < N_KEYS; k++)
        names[k] = keys[k].name;
    while (i < N_KEYS && strcmp(names[i], key->name) != 0)
        i++;
    if (i == N_KEYS) {
        const char *near = nearest_word(key->name, names, N_KEYS);
        return hpc_fail(err, "%s:%d: unknown key '%s', %s%s", file->shown, key->line, key->name,
                        near ? "did you mean " : "expected one of docs/instructor.md",
                        near ? near : "");
    }
    char *at = (char *)site + keys[i].at, *end;
    const long number = strtol(v, &end, 10);
    const bool is_number = *v && !*end && number >= keys[i].low && number <= keys[i].high;
    switch (keys[i].kind) {
    case SITE_WORD:
    case SITE_WORDS:
        *(char **)at = hpc_strdup(v);
        return is_words(v, keys[i].kind == SITE_WORD) ||
               hpc_fail(err, "%s:%d: %s = %s, expected %s", file->shown, key->line, key->name, v,
                        keys[i].kind == SITE_WORD ? "one word" : "words");
    case SITE_COUNT:
        *(int *)at = (int)number;
        return is_number || hpc_fail(err, "%s:%d: %s = %s, expected %d to %d", file->shown,
                                     key->line, key->name, v, keys[i].low, keys[i].high);
    case SITE_SWITCH:
        *(bool *)at = strcmp(v, "yes") == 0;
        break;
    }
    return !strcmp(v, "yes") || !strcmp(v, "no") ||
           hpc_fail(err, "%s:%d: %s = %s, expected yes or no", file->shown, key->line, key->name,
                    v);
}

bool site_read(const char *path, struct site *site, struct hpc_error *err)
{
    *site = (struct site){.minutes = 60, .cpus = 2, .tries = 3, .exclusive = true};
    struct ini_file *file = ini_read(path, path, err);
    if (!file)
        return false;
    const struct ini_section *section = ini_section_find(file, "site");
    bool good = section || hpc_fail(err, "%s: no section [site], expected one", path);
    for (int i = 0; good && i < section->n; i++)
        good =
            !strcmp(section->keys[i].name, "official_jail") || /* the grader's, of one site.ini */
            read_key(file, &section->keys[i], site, err);
    ini_free(file);
    return good;
}

void site_free(struct site *s)
{
    char **const words[] = {&s->partition, &s->account, &s->gres,   &s->constraint,
                            &s->modules,   &s->path,    &s->memory, &s->options};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        free(*words[i]);
        *words[i] = NULL;
    }
}

static void add_word(struct text *t, const char *option, const char *value)
{
    if (value)
        text_add(t, "#SBATCH --%s=%s\n", option, value);
}

static void add_head(const struct site *s, bool exclusive, struct text *t)
{
    add_word(t, "partition", s->partition);
    add_word(t, "account", s->account);
    add_word(t, "gres", s->gres);
    add_word(t, "constraint", s->constraint);
    add_word(t, "mem", s->memory);
    text_add(t, "#SBATCH --nodes=1\n#SBATCH --ntasks=1\n#SBATCH --time=%d\n", s->minutes);
    if (exclusive)
        text_add(t, "#SBATCH --exclusive\n");
    else
        text_add(t, "#SBATCH --cpus-per-task=%d\n", s->cpus);
    if (s->options)
        text_add(t, "#SBATCH %s\n", s->options);
}

char *cluster_program(void)
{
    char program[PATH_MAX] = "build/hpclab"; /* this one, if the folder is shared */
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0)
        program[length] = '\0';
    char *gone = strstr(program, " (deleted)"); /* built anew since: that one is taken */
    if (gone)
        *gone = '\0';
    return command_quoted(program);
}

bool site_script(const struct site *s, const struct project *p, bool exclusive, const char *more,
                 const char *body, const char *path, struct hpc_error *err)
{
    struct text t = {0};
    text_add(&t, "#!/bin/bash -l\n");
    add_head(s, exclusive, &t);
    char *root = command_quoted(p->root);
    text_add(&t, "%s\nset -u\ncd %s || exit 3\nexport HPC_ROOT=$PWD\n", more, root);
    free(root);
    if (s->modules)
        text_add(&t, "set +u\nmodule load %s || exit 3\nset -u\n", s->modules);
    if (s->path) {
        char *folders = command_quoted(s->path);
        text_add(&t, "export PATH=%s:$PATH\n", folders);
        free(folders);
    }
    text_add(&t, "%s\n", body);
    FILE *f = fopen(path, "we");
    const bool good = f && fchmod(fileno(f), 0700) == 0 && fputs(text_string(&t), f) >= 0;
    text_free(&t);
    return (f && fclose(f) == 0 && good) ||
           hpc_fail_env(err, "%s: %s, expected room for a script", path, strerror(errno));
}
