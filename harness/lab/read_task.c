/* Sections [task NAME]. */
#define _GNU_SOURCE
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lab/read.h"
#include "harness/lab/sheet.h"

#define MIB ((size_t)1 << 20)

static const char known_keys[] =
    "title, kind, file, op, baseline, reference, fastest, flags, libraries, symbols, instructions, "
    "versions, cases, speed_case, baseline_case, threads_case, even_ranks, traffic_case, "
    "check_cases, traffic, safety, threads, needs, points_correct, points_speed, points_answers, "
    "points_traffic, bonus, target, target_copy, wall_seconds, cpu_seconds, memory_mib, "
    "output_kib, processes, build_seconds, task_seconds";

struct text_rule {
    const char *key;
    size_t offset;
    int size;
};
#define TEXT_RULE(field)                                                                           \
    {                                                                                              \
#field, offsetof(struct lab_task, field), sizeof((struct lab_task *)0)->field              \
    }

static const struct text_rule text_rules[] = {
    TEXT_RULE(title),   TEXT_RULE(file),         TEXT_RULE(baseline),  TEXT_RULE(reference),
    TEXT_RULE(fastest), TEXT_RULE(flags),        TEXT_RULE(libraries), TEXT_RULE(symbols),
    TEXT_RULE(traffic), TEXT_RULE(instructions),
};

/* A number into *value; absent: stays. */
static bool number(const struct task_reader *r, const char *key, double low, double high,
                   bool whole, double *value)
{
    const struct ini_key *k = ini_find(r->s, key);
    char expected[80], *end;
    if (!k)
        return true;
    double v = strtod(k->value, &end);
    if (!*k->value || *end || !(v >= low && v <= high) || (whole && v != floor(v))) {
        snprintf(expected, sizeof expected, "a %snumber from %g to %g", whole ? "whole " : "", low,
                 high);
        return task_wrong(r, key, k->value, expected);
    }
    *value = v;
    return true;
}

static bool read_texts(const struct task_reader *r)
{
    for (size_t i = 0; i < sizeof text_rules / sizeof *text_rules; i++) {
        const struct text_rule *rule = &text_rules[i];
        if (!lab_read_text(r->m->file, r->s, rule->key, (char *)r->task + rule->offset, rule->size,
                           r->m->err))
            return false;
    }
    return lab_expand_symbols(r) &&
           lab_read_needs(r->m->file, r->s, r->task->needs, sizeof r->task->needs, r->m->err);
}

static bool read_numbers(const struct task_reader *r)
{
    struct lab_task *t = r->task;
    double wall = 10, cpu = 60, memory = 1024, output = 64, processes = 64, build = 60,
           versions = 1, in_all = 600;
    if (!lab_read_switch(r->m->file, r->s, "bonus", "no", "yes", &t->bonus, r->m->err) ||
        !number(r, "points_correct", 0, 100, false, &t->points_correct) ||
        !number(r, "points_speed", 0, 100, false, &t->points_speed) ||
        !number(r, "points_answers", 0, 100, false, &t->points_answers) ||
        !number(r, "points_traffic", 0, 100, false, &t->points_traffic) ||
        !number(r, "target_copy", 0.01, 1, false, &t->target_copy) ||
        !number(r, "target", LAB_LEAST_TARGET, 1e6, false, &t->target) ||
        !number(r, "versions", 1, 9, true, &versions) ||
        !number(r, "wall_seconds", 1, 3600, true, &wall) ||
        !number(r, "cpu_seconds", 1, 86400, true, &cpu) ||
        !number(r, "memory_mib", 16, 1 << 20, true, &memory) ||
        !number(r, "output_kib", 1, 1 << 20, true, &output) ||
        !number(r, "processes", 1, 4096, true, &processes) ||
        !number(r, "build_seconds", 1, 3600, true, &build) ||
        !number(r, "task_seconds", 1, 86400, true, &in_all))
        return false;
    t->task_seconds = (int)in_all;
    t->build_seconds = (int)build;
    t->versions = (int)versions;
    t->limits = (struct jail_limits){
        .wall_seconds = (int)wall,
        .cpu_seconds = (int)cpu,
        .memory_bytes = (size_t)memory * MIB,
        .file_bytes = 16 * MIB,
        .output_bytes = (size_t)output << 10,
        .processes = (int)processes,
    };
    return true;
}

/* kind, op, safety, threads: words of a fixed set. */
static bool read_words(const struct task_reader *r)
{
    struct lab_task *t = r->task;
    bool cuda = device_source(t->file);
    char kind[LAB_NAME] = "variant", op[LAB_NAME] = "", safety[LAB_NAME] = "address";
    char threads[LAB_NAME] = "1", word[LAB_NAME];
    if (cuda) {
        snprintf(safety, sizeof safety, "device");
        snprintf(threads, sizeof threads, "all");
    }
    const struct ini_file *f = r->m->file;
    if (!lab_read_text(f, r->s, "kind", kind, sizeof kind, r->m->err) ||
        !lab_read_text(f, r->s, "op", op, sizeof op, r->m->err) ||
        !lab_read_text(f, r->s, "safety", safety, sizeof safety, r->m->err) ||
        !lab_read_text(f, r->s, "threads", threads, sizeof threads, r->m->err))
        return false;
    t->kind = strcmp(kind, "answers") == 0 ? TASK_ANSWERS : TASK_VARIANT;
    if (t->kind == TASK_VARIANT && strcmp(kind, "variant") != 0)
        return task_wrong(r, "kind", kind, "variant or answers");
    if (!*op && t->kind == TASK_VARIANT)
        return task_missing(r, "op");
    t->op = hpc_op_find(op);
    if (!t->op && *op)
        return hpc_fail(r->m->err, "%s:%d: unknown op \"%s\"; expected an operation such as %s",
                        f->shown, ini_find(r->s, "op")->line, op, hpc_ops[0]->name);
    const char *rest = !cuda && strcmp(safety, "none") == 0 ? "" : safety;
    while (lab_next_word(&rest, word, sizeof word)) {
        int bit = strcmp(word, "address") == 0    ? SAFETY_ADDRESS
                  : strcmp(word, "threads") == 0  ? SAFETY_THREADS
                  : strcmp(word, "device") == 0   ? SAFETY_DEVICE
                  : strcmp(word, "assembly") == 0 ? SAFETY_ASSEMBLY
                                                  : 0;
        if (cuda && bit != SAFETY_DEVICE && bit != SAFETY_ASSEMBLY)
            return task_wrong(r, "safety", word, "device, which a .cu file has alone");
        if (!bit || (!cuda && bit == SAFETY_DEVICE))
            return task_wrong(r, "safety", word, "address, threads or both (and assembly); none");
        t->safety |= bit;
    }
    double count = 1;
    if (strcmp(threads, "all") == 0) {
        count = 0;
    } else if (cuda) {
        return task_wrong(r, "threads", threads, "it with a .c file only");
    } else if (!number(r, "threads", 1, 1024, true, &count)) {
        return task_wrong(r, "threads", threads, "all or a whole number from 1 to 1024");
    }
    t->threads = (int)count;
    return true;
}

/* The cases named by a key, each of the task's operation, into index[0 .. *n); the key may be
 * absent. */
static bool read_case_names(const struct task_reader *r, const char *key, int most, int *index,
                            int *n)
{
    const struct ini_key *k = ini_find(r->s, key);
    const char *rest = k ? k->value : "";
    char word[LAB_NAME];
    *n = 0;
    while (lab_next_word(&rest, word, sizeof word)) {
        int found = lab_case_find(r->m->lab, word);
        if (found < 0)
            return task_wrong(r, key, word, "names of [case ..] sections");
        if (r->m->lab->cases[found].op != r->task->op)
            return task_wrong(r, key, word, "cases of the task's op");
        if (*n == most)
            return task_wrong(r, key, k->value, most == 1 ? "one case" : "fewer cases");
        index[(*n)++] = found;
    }
    return true;
}

static bool read_cases(const struct task_reader *r)
{
    struct lab_task *t = r->task;
    int n;
    t->speed_case = t->baseline_case = t->threads_case = t->traffic_case = -1;
    return read_case_names(r, "cases", LAB_MAX_CASES, t->cases, &t->n_cases) &&
           read_case_names(r, "check_cases", LAB_MAX_CASES, t->check_cases, &t->n_check) &&
           read_case_names(r, "threads_case", 1, &t->threads_case, &n) &&
           read_case_names(r, "traffic_case", 1, &t->traffic_case, &n) &&
           read_case_names(r, "speed_case", 1, &t->speed_case, &n) &&
           read_case_names(r, "baseline_case", 1, &t->baseline_case, &n);
}

/* One of baseline, reference, fastest: listed in the catalogue, with the task's operation. */
static bool check_variant(const struct task_reader *r, const char *key, const char *name)
{
    const struct variant *v = catalogue_find(r->m->catalogue, name);
    if (!v || v->op != r->task->op)
        return task_wrong(r, key, name,
                          v ? "a variant of the task's op" : "a variant that variants.ini lists");
    return true;
}

static bool check_variant_task(const struct task_reader *r)
{
    struct lab_task *t = r->task;
    const char *name = r->s->name + strlen("task ");
    if (!*t->file)
        snprintf(t->file, sizeof t->file, "%.*s.c", LAB_NAME_LENGTH, name);
    if (!*t->reference)
        snprintf(t->reference, sizeof t->reference, "%.16s/%.*s", t->op->folder, LAB_NAME_LENGTH,
                 name);
    if (!*t->libraries)
        snprintf(t->libraries, sizeof t->libraries, "-lm");
    if (t->points_answers > 0 || ini_find(r->s, "versions")) /* what answers alone have */
        return task_wrong(r, t->points_answers > 0 ? "points_answers" : "versions", "given",
                          "it with kind = answers only");
    if (t->n_cases == 0)
        return task_missing(r, "cases");
    if (!check_variant(r, "reference", t->reference) ||
        (*t->fastest && !check_variant(r, "fastest", t->fastest)) ||
        (*t->baseline && !check_variant(r, "baseline", t->baseline)))
        return false;
    if (t->speed_case >= 0 && t->points_speed == 0)
        return task_wrong(r, "speed_case", "given", "points_speed with it");
    if (t->baseline_case >= 0 && t->speed_case < 0)
        return task_wrong(r, "baseline_case", "given", "speed_case with it");
    if (t->points_speed > 0 && t->speed_case < 0)
        return task_wrong(r, "points_speed", "given", "speed_case with it");
    if (t->points_speed > 0 && !*t->baseline && !(t->target_copy > 0))
        return task_missing(r, "baseline");
    const struct variant *base = catalogue_find(r->m->catalogue, t->baseline);
    if (base && !base->at_hand)
        return task_wrong(r, "baseline", t->baseline, "a variant whose source is at hand");
    return lab_read_cuda(r);
}

/* What is right, where that is here: the lab's expected.ini is opened once for all its tasks. */
static bool read_expected(const struct task_reader *r)
{
    struct lab_reader *m = r->m;
    char *shown = hpc_printf("labs/%s/expected.ini", m->lab->name);
    char *path = hpc_printf("%s/%s", m->root, shown);
    bool there = m->expected || lab_file_exists(m->root, shown);
    if (there && !m->expected)
        m->expected = ini_read(path, shown, m->err);
    free(path);
    free(shown);
    return !there ||
           (m->expected && sheet_expected(m->expected, r->task->name, &r->task->sheet, m->err));
}

static bool read_answers_task(const struct task_reader *r)
{
    struct lab_task *t = r->task;
    if (!*t->file)
        return task_missing(r, "file");
    if (t->n_cases > 0 || t->speed_case >= 0 || t->points_correct > 0 || t->points_speed > 0 ||
        t->points_traffic > 0 || t->bonus)
        return hpc_fail(r->m->err,
                        "%s:%d: [%s] has cases or points for code; expected only points_answers",
                        r->m->file->shown, r->s->line, r->s->name);
    return sheet_form(r->m->file, t->name, &t->sheet, r->m->err) && read_expected(r);
}

bool lab_check_defaults(const struct lab_reader *m, const struct ini_section *s)
{
    return lab_known_keys(m->file, s, known_keys + strlen("title, kind, file, "), m->err);
}

static bool read_task(struct lab_reader *m, const struct ini_section *s)
{
    const char *name = s->name + strlen("task ");
    if (!lab_is_name(name, LAB_NAME_LENGTH) || lab_task_find(m->lab, name))
        return hpc_fail(m->err,
                        "%s:%d: [%s], expected a name of its own of at most %d of a-z, 0-9, _",
                        m->file->shown, s->line, s->name, LAB_NAME_LENGTH);
    if (m->lab->n_tasks == LAB_MAX_TASKS)
        return hpc_fail(m->err, "%s:%d: too many tasks; expected at most %d", m->file->shown,
                        s->line, LAB_MAX_TASKS);
    struct lab_task *t = &m->lab->tasks[m->lab->n_tasks];
    struct task_reader r = {.m = m, .s = s, .task = t};
    snprintf(t->name, sizeof t->name, "%s", name);
    if (!lab_known_keys(m->file, s, known_keys, m->err) || !read_texts(&r) || !read_words(&r) ||
        !read_numbers(&r) || !read_cases(&r))
        return false;
    if (!*t->title)
        return task_missing(&r, "title");
    if (strchr(t->file, '/') || t->file[0] == '.')
        return task_wrong(&r, "file", t->file, "a name in the lab's folder");
    if (!strcmp(t->file, "lab.ini") || !strcmp(t->file, "hidden.ini") ||
        !strcmp(t->file, "expected.ini") || !strcmp(t->file, "marker.c"))
        return task_wrong(&r, "file", t->file, "a name that the lab has no other use for");
    if (!(t->kind == TASK_VARIANT ? check_variant_task(&r) : read_answers_task(&r)))
        return false;
    m->lab->n_tasks++;
    return true;
}

bool lab_read_task(struct lab_reader *m, const struct ini_section *own)
{
    struct ini_section all = lab_with_defaults(m, own);
    bool good = read_task(m, &all);
    free(all.keys);
    return good;
}
