/* Values of keys, and what there is to say of those that are off: for all readers of this room. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/nearest.h"
#include "harness/lab/read.h"

bool lab_file_exists(const char *root, const char *path)
{
    char *full = hpc_printf("%s/%s", root, path);
    bool exists = access(full, R_OK) == 0;
    free(full);
    return exists;
}

bool lab_is_name(const char *text, size_t most)
{
    size_t length = strlen(text);
    return length > 0 && length <= most &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_")] == 0;
}

bool lab_next_word(const char **text, char *word, int size)
{
    *text += strspn(*text, " \t");
    int length = (int)strcspn(*text, " \t");
    if (length == 0)
        return false;
    snprintf(word, (size_t)size, "%.*s", length, *text);
    *text += length;
    return true;
}

bool lab_read_text(const struct ini_file *file, const struct ini_section *section, const char *key,
                   char *text, int size, struct hpc_error *err)
{
    const struct ini_key *k = ini_find(section, key);
    if (!k)
        return true;
    if (!*k->value || strlen(k->value) >= (size_t)size)
        return hpc_fail(err, "%s:%d: %s has %zu characters, expected 1 to %d", file->shown, k->line,
                        key, strlen(k->value), size - 1);
    snprintf(text, (size_t)size, "%s", k->value);
    return true;
}

static bool is_listed(const char *word, const char *list)
{
    size_t length = strlen(word);
    for (const char *at = list; *at; at += strcspn(at, ","), at += strspn(at, ", "))
        if (strcspn(at, ",") == length && strncmp(at, word, length) == 0)
            return true;
    return false;
}

bool lab_known_keys(const struct ini_file *file, const struct ini_section *section,
                    const char *known, struct hpc_error *err)
{
    for (int i = 0; i < section->n; i++)
        if (!is_listed(section->keys[i].name, known))
            return hpc_fail(err, "%s:%d: unknown key \"%.60s\" in [%s]; expected one of %s",
                            file->shown, section->keys[i].line, section->keys[i].name,
                            section->name, known);
    return true;
}

bool lab_read_needs(const struct ini_file *file, const struct ini_section *section, char *needs,
                    int size, struct hpc_error *err)
{
    static const char *const words[] = {"avx2", "avx512", "amx", "neon", "gpu"};
    if (!lab_read_text(file, section, "needs", needs, size, err))
        return false;
    const char *rest = needs;
    char word[LAB_NAME];
    while (lab_next_word(&rest, word, sizeof word)) {
        bool known = strncmp(word, "threads:", 8) == 0 && atoi(word + 8) > 0;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            known |= strcmp(word, words[i]) == 0;
        if (!known)
            return hpc_fail(err,
                            "%s:%d: needs \"%s\", expected some of avx2 avx512 amx neon gpu "
                            "threads:N",
                            file->shown, ini_find(section, "needs")->line, word);
    }
    return true;
}

const struct lab_task *lab_task_find(const struct lab *lab, const char *name)
{
    for (int i = 0; i < lab->n_tasks; i++)
        if (strcmp(lab->tasks[i].name, name) == 0)
            return &lab->tasks[i];
    return NULL;
}

char *lab_task_hint(const struct lab *lab, const char *name)
{
    const char *names[LAB_MAX_TASKS];
    for (int i = 0; i < lab->n_tasks; i++)
        names[i] = lab->tasks[i].name;
    return nearest_hint(name, names, lab->n_tasks);
}

char *lab_program_hint(const struct lab *lab, const char *name)
{
    const struct lab_task *task = lab_task_find(lab, name);
    const char *names[LAB_MAX_TASKS];
    int n = 0;
    if (task && task->kind != TASK_VARIANT)
        return hpc_printf(": it is a sheet, labs/%s/%s, which ./grade %s --only %s marks",
                          lab->name, task->file, lab->name, name);
    for (int i = 0; i < lab->n_tasks; i++)
        if (lab->tasks[i].kind == TASK_VARIANT)
            names[n++] = lab->tasks[i].name;
    return nearest_hint(name, names, n);
}

bool task_missing(const struct task_reader *r, const char *what)
{
    return hpc_fail(r->m->err, "%s:%d: [%s] has no %s; expected one", r->m->file->shown, r->s->line,
                    r->s->name, what);
}

bool task_wrong(const struct task_reader *r, const char *key, const char *value,
                const char *expected)
{
    const struct ini_key *k = ini_find(r->s, key);
    return hpc_fail(r->m->err, "%s:%d: %s = %.100s, expected %s", r->m->file->shown,
                    k ? k->line : r->s->line, key, value, expected);
}

bool lab_read_switch(const struct ini_file *file, const struct ini_section *s, const char *key,
                     const char *off, const char *on, bool *value, struct hpc_error *err)
{
    const struct ini_key *k = ini_find(s, key);
    *value = k && strcmp(k->value, on) == 0;
    return !k || *value || strcmp(k->value, off) == 0 ||
           hpc_fail(err, "%s:%d: %s = %.60s, expected %s or %s", file->shown, k->line, key,
                    k->value, off, on);
}
