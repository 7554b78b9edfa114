/* Sections [case NAME]: a problem, by the keys of its operation. */
#define _GNU_SOURCE
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lab/case.h"
#include "harness/lab/read.h"

#define LOAD_SEED 1 /* of the one draw that is parsed when a lab is read */

int lab_case_find(const struct lab *lab, const char *name)
{
    for (int i = 0; i < lab->n_cases; i++)
        if (strcmp(lab->cases[i].name, name) == 0)
            return i;
    return -1;
}

static bool try_params(const struct lab_reader *m, const struct lab_case *c,
                       struct hpc_params params)
{
    alignas(16) unsigned char problem[HPC_MAX_PROBLEM];
    return hpc_params_set(&params, "threads", "2", "hpclab", m->err) &&
           c->op->parse(&params, problem, m->err);
}

/* A wrong value is reported now, with its own line, and not in the middle of a grading: all low
 * ends of the ranges are parsed, all high ends and one draw. */
static bool case_parses(const struct lab_reader *m, const struct lab_case *c)
{
    struct hpc_params drawn = c->params, low = c->params, high = c->params;
    if (!hpc_params_draw(&drawn, LOAD_SEED, 0, m->err))
        return false;
    for (int i = 0; i < drawn.n; i++) {
        const char *range = c->params.p[i].value;
        if (strcmp(drawn.p[i].value, range) == 0)
            continue;
        const char *dots = strstr(range, ".."); /* it was drawn, so it has them */
        snprintf(low.p[i].value, sizeof low.p[i].value, "%.*s", (int)(dots - range), range);
        snprintf(high.p[i].value, sizeof high.p[i].value, "%s", dots + 2);
    }
    return try_params(m, c, low) && try_params(m, c, high) && try_params(m, c, drawn);
}

/* `tasks` of a hidden case: those tasks try it after their own cases. */
static bool join_tasks(struct lab_reader *m, const struct ini_section *s, int index)
{
    struct ini_key *k = ini_find(s, "tasks");
    if (!k || !*k->value)
        return hpc_fail(m->err, "%s:%d: [%s] has no tasks; expected the tasks that it is for",
                        m->file->shown, s->line, s->name);
    const char *rest = k->value;
    char word[LAB_NAME];
    while (lab_next_word(&rest, word, sizeof word)) {
        struct lab_task *t = (struct lab_task *)lab_task_find(m->lab, word);
        if (!t || t->kind != TASK_VARIANT || t->op != m->lab->cases[index].op)
            return hpc_fail(m->err, "%s:%d: tasks = %s, expected names of %s tasks in lab.ini",
                            m->file->shown, k->line, word, m->lab->cases[index].op->name);
        if (t->n_cases == LAB_MAX_CASES)
            return hpc_fail(m->err, "%s:%d: %s has too many cases; expected at most %d",
                            m->file->shown, k->line, word, LAB_MAX_CASES);
        t->cases[t->n_cases++] = index; /* and the device's checker's, where it sees all */
    }
    return true;
}

static bool read_params(const struct lab_reader *m, const struct ini_section *s, struct lab_case *c)
{
    for (int i = 0; i < s->n; i++) {
        const struct ini_key *k = &s->keys[i];
        char where[200];
        if (strcmp(k->name, "op") == 0 || (c->hidden && strcmp(k->name, "tasks") == 0))
            continue;
        snprintf(where, sizeof where, "%s:%d", m->file->shown, k->line);
        if (!case_set(c, k->name, k->value, where, m->err))
            return false;
    }
    return true;
}

/* The next of the lab's cases, which gets the name; NULL with an error. `written` is how it stands
 * in the line. */
static struct lab_case *begin_case(struct lab_reader *m, const char *name, const char *written,
                                   int line)
{
    if (!lab_is_name(name, LAB_CASE_LENGTH) || lab_case_find(m->lab, name) >= 0) {
        hpc_fail(m->err, "%s:%d: %s, expected a name of its own of at most %d of a-z, 0-9, _",
                 m->file->shown, line, written, LAB_CASE_LENGTH);
        return NULL;
    }
    if (m->lab->n_cases == LAB_MAX_CASES) {
        hpc_fail(m->err, "%s:%d: too many cases; expected at most %d", m->file->shown, line,
                 LAB_MAX_CASES);
        return NULL;
    }
    struct lab_case *c = &m->lab->cases[m->lab->n_cases];
    snprintf(c->name, sizeof c->name, "%s", name);
    return c;
}

/* Section [cases OP]: a case a line, NAME = KEY=VALUE .. */
static bool read_lines(struct lab_reader *m, const struct ini_section *s)
{
    const char *op_name = s->name + strlen("cases ");
    const struct hpc_op *op = hpc_op_find(op_name);
    if (!op)
        return hpc_fail(m->err, "%s:%d: [%s], expected an operation such as %s", m->file->shown,
                        s->line, s->name, hpc_ops[0]->name);
    for (int i = 0; i < s->n; i++) {
        const struct ini_key *k = &s->keys[i];
        struct lab_case *c = begin_case(m, k->name, k->name, k->line);
        const char *rest = k->value;
        char word[sizeof c->params.p[0].value], where[200];
        snprintf(where, sizeof where, "%s:%d", m->file->shown, k->line);
        if (!c)
            return false;
        c->op = op;
        while (lab_next_word(&rest, word, sizeof word)) {
            struct hpc_params one = {0};
            if (!hpc_params_set_word(&one, word, where, m->err) ||
                !case_set(c, one.p[0].key, one.p[0].value, where, m->err))
                return false;
        }
        if (!case_parses(m, c))
            return false;
        m->lab->n_cases++;
    }
    return true;
}

static bool read_case(struct lab_reader *m, const struct ini_section *s, bool hidden)
{
    char *written = hpc_printf("[%s]", s->name);
    struct lab_case *c = begin_case(m, s->name + strlen("case "), written, s->line);
    free(written);
    if (!c)
        return false;
    c->hidden = hidden;
    const struct ini_key *op = ini_find(s, "op");
    if (!op)
        return hpc_fail(m->err, "%s:%d: [%s] has no op; expected one", m->file->shown, s->line,
                        s->name);
    c->op = hpc_op_find(op->value);
    if (!c->op)
        return hpc_fail(m->err, "%s:%d: unknown op \"%.40s\"; expected an operation such as %s",
                        m->file->shown, op->line, op->value, hpc_ops[0]->name);
    if (!read_params(m, s, c) || !case_parses(m, c))
        return false;
    int index = m->lab->n_cases++;
    return !hidden || join_tasks(m, s, index);
}

bool lab_read_cases(struct lab_reader *m, bool hidden)
{
    for (int i = 0; i < m->file->n; i++) {
        const struct ini_section *s = &m->file->sections[i];
        if ((strncmp(s->name, "case ", 5) == 0 && !read_case(m, s, hidden)) ||
            (strncmp(s->name, "cases ", 6) == 0 && !read_lines(m, s)))
            return false;
    }
    return true;
}
