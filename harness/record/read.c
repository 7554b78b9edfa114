/* Reading a record back, for `hpclab explain`. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "harness/record/record.h"

static void text(const json_t *object, const char *key, char *to, int size)
{
    const char *value = json_string_value(json_object_get(object, key));
    snprintf(to, (size_t)size, "%s", value ? value : "");
    hpc_harmless(to);
}
#define TEXT(object, key, field) text(object, key, field, sizeof(field))

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static bool read_verdict(const json_t *object, enum verdict *verdict)
{
    const char *name = json_string_value(json_object_get(object, "verdict"));
    for (int v = 0; name && v < VERDICT_COUNT; v++)
        if (strcmp(verdict_names[v], name) == 0) {
            *verdict = (enum verdict)v;
            return true;
        }
    return false;
}

static void read_speed(const json_t *object, struct task_speed *s)
{
    if (!json_is_object(object))
        return;
    s->measured = true;
    s->student_s = number(object, "student_s");
    s->baseline_s = number(object, "baseline_s");
    s->ratio.value = number(object, "ratio");
    s->ratio.low = number(object, "ci_low");
    s->ratio.high = number(object, "ci_high");
    s->pairs = (int)number(object, "pairs");
    s->target = number(object, "target");
    TEXT(object, "target_source", s->target_source);
    s->fraction_of_floor = number(object, "fraction_of_floor");
    s->disturbed = number(object, "disturbed");
    s->of_copy = json_is_true(json_object_get(object, "of_copy"));
    object = json_object_get(object, "counters");
    s->counters.cores = number(object, "cores");
    TEXT(object, "function", s->counters.function);
    s->counters.share = number(object, "share");
    s->counters.copy = number(object, "copy");
}

static void read_traffic(const json_t *object, struct task_traffic *t)
{
    const json_t *bounds = json_object_get(object, "bounds"), *bound;
    size_t i;
    if (!json_is_object(object))
        return;
    t->measured = true;
    TEXT(object, "case", t->case_name);
    t->outputs = number(object, "outputs");
    json_array_foreach(bounds, i, bound)
    {
        if (t->n == TRAFFIC_MAX_BOUNDS)
            break;
        struct traffic_mark *m = &t->mark[t->n++];
        const char *relation = json_string_value(json_object_get(bound, "relation"));
        TEXT(bound, "quantity", m->bound.quantity);
        m->bound.at_least = relation && strcmp(relation, ">=") == 0;
        m->bound.bound = number(bound, "bound");
        m->measured = number(bound, "measured");
        m->met = json_is_true(json_object_get(bound, "met"));
    }
}

static void read_waited(const json_t *object, int waited[2])
{
    const json_t *of = json_object_get(object, "waited");
    waited[0] = (int)number(of, "noisy");
    waited[1] = (int)number(of, "environment");
}

static bool read_task(const json_t *object, struct task_result *t)
{
    TEXT(object, "name", t->name);
    TEXT(object, "title", t->title);
    TEXT(object, "reason", t->outcome.reason);
    TEXT(object, "hint", t->outcome.hint);
    TEXT(object, "reproduce", t->reproduce);
    TEXT(object, "safety", t->safety);
    t->points = number(object, "points");
    t->max_points = number(object, "max_points");
    t->pending = number(object, "pending");
    t->pending_speed = number(object, "pending_speed");
    read_waited(object, t->waited);
    const json_t *c = json_object_get(object, "correctness");
    t->correctness.cases = (int)number(c, "cases");
    t->correctness.passed = (int)number(c, "passed");
    TEXT(c, "first_failure", t->correctness.first_failure);
    read_speed(json_object_get(object, "speed"), &t->speed);
    read_traffic(json_object_get(object, "traffic"), &t->traffic);
    return *t->name && read_verdict(object, &t->outcome.verdict);
}

/* False where it is no record of schema 1. */
static bool read_record(const json_t *object, struct record *r)
{
    TEXT(object, "lab", r->lab);
    TEXT(object, "implementation", r->implementation);
    TEXT(object, "device", r->device);
    TEXT(object, "version", r->version);
    TEXT(object, "jail", r->jail);
    TEXT(json_object_get(object, "submission"), "remark", r->remark);
    const char *seed = json_string_value(json_object_get(object, "seed"));
    r->seed = seed ? strtoull(seed, NULL, 10) : 0;
    r->complete = json_is_true(json_object_get(object, "complete"));
    r->official = json_is_true(json_object_get(object, "official"));
    read_waited(object, r->waited);
    r->gradings = (int)number(object, "gradings");
    r->quick = json_is_true(json_object_get(object, "quick"));
    const json_t *tasks = json_object_get(object, "tasks");
    size_t n = json_array_size(tasks);
    if (json_integer_value(json_object_get(object, "schema")) != 1 || !*r->lab ||
        !json_is_array(tasks) || n > sizeof r->tasks / sizeof *r->tasks)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!read_task(json_array_get(tasks, i), &r->tasks[r->n_tasks++]))
            return false;
    return true;
}

/* `where` it was read from; json is given away, and NULL where `why` says what was there. */
static bool take(json_t *json, const char *why, const char *where, struct record *r,
                 struct hpc_error *err)
{
    memset(r, 0, sizeof *r);
    if (!json)
        return hpc_fail(err, "%s; expected a record that ./grade wrote", why);
    bool good = read_record(json, r);
    json_decref(json);
    return good || hpc_fail(err, "%s: no record of schema 1; expected what ./grade wrote", where);
}

bool record_read(const char *path, struct record *r, struct hpc_error *err)
{
    struct hpc_error why;
    json_t *json = json_file(path, &why);
    return take(json, why.text, path, r, err);
}

bool record_parse(const char *text, const char *where, struct record *r, struct hpc_error *err)
{
    json_error_t at;
    struct hpc_error why;
    json_t *json = json_loads(text, 0, &at);
    if (!json)
        hpc_fail(&why, "%s:%d: %s", where, at.line > 0 ? at.line : 1, at.text);
    return take(json, why.text, where, r, err);
}
