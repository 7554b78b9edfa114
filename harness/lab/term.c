#define _GNU_SOURCE
#include "harness/lab/term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/ini.h"
#include "common/random.h"
#include "harness/lab/read.h"

static int count(const struct hpc_op *op)
{
    int n = 0;
    while (op->terms && op->terms[n].name)
        n++;
    return n;
}

/* What the line `k` of an operation names. */
static bool named(const struct ini_file *f, const struct ini_key *k, const struct hpc_op *op,
                  const struct hpc_term **t, struct hpc_error *err)
{
    char known[200] = "none";
    *t = NULL;
    for (int i = 0; i < count(op); i++) {
        if (!strcmp(op->terms[i].name, k->value))
            *t = &op->terms[i];
        char *more = hpc_printf("%s, %s", known, op->terms[i].name);
        snprintf(known, sizeof known, "%s", more);
        free(more);
    }
    return *t || !strcmp(k->value, "none") ||
           hpc_fail(err, "%s:%d: %s = %.60s, expected %s", f->shown, k->line, k->name, k->value,
                    known);
}

/* The key's own choice: all tasks of a lab that have one operation get the same. */
static const struct hpc_term *drawn(const char *key, const struct lab *lab, const struct hpc_op *op)
{
    char *words = hpc_printf("%s %s %s", key, lab->name, op->name);
    const uint64_t number = hpc_random_named(words);
    const int n = count(op);
    free(words);
    return n ? &op->terms[number % (uint64_t)n] : NULL;
}

static bool known_lines(const struct ini_file *f, const struct ini_section *s,
                        struct hpc_error *err)
{
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->keys[i].name, "key") && !hpc_op_find(s->keys[i].name))
            return hpc_fail(err, "%s:%d: %.60s, expected key or an operation such as %s", f->shown,
                            s->keys[i].line, s->keys[i].name, hpc_ops[0]->name);
    return true;
}

static bool choose(const struct ini_file *f, struct lab *lab, struct hpc_error *err)
{
    const struct ini_section *s = ini_section_find(f, "term");
    const struct ini_key *key = s ? ini_find(s, "key") : NULL;
    if (!key || !*key->value || strlen(key->value) >= sizeof lab->term)
        return hpc_fail(err, "%s: expected a section [term] with a key of 1 to %zu letters",
                        f->shown, sizeof lab->term - 1);
    if (!known_lines(f, s, err))
        return false;
    snprintf(lab->term, sizeof lab->term, "%s", key->value);
    for (int i = 0; i < lab->n_tasks; i++) {
        struct lab_task *t = &lab->tasks[i];
        const struct ini_key *own = t->op ? ini_find(s, t->op->name) : NULL;
        if (t->kind != TASK_VARIANT)
            continue;
        t->term = drawn(lab->term, lab, t->op);
        if (own && !named(f, own, t->op, &t->term, err))
            return false;
    }
    return true;
}

bool term_read(const char *root, struct lab *lab, struct hpc_error *err)
{
    if (!lab_file_exists(root, TERM_FILE))
        return true;
    char *path = hpc_printf("%s/%s", root, TERM_FILE);
    struct ini_file *f = ini_read(path, TERM_FILE, err);
    bool good = f && choose(f, lab, err);
    ini_free(f);
    free(path);
    return good;
}

void term_each(const struct lab *lab,
               void (*say)(void *data, const struct hpc_op *op, const struct hpc_term *t),
               void *data)
{
    for (int i = 0; i < lab->n_tasks; i++) {
        const struct lab_task *t = &lab->tasks[i];
        bool said = !t->term;
        for (int k = 0; k < i; k++)
            said |= lab->tasks[k].term == t->term && lab->tasks[k].op == t->op;
        if (!said)
            say(data, t->op, t->term);
    }
}
