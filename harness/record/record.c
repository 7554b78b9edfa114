#define _GNU_SOURCE
#include "common/text.h"
#include "harness/record/record.h"
#include "common/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const regrade_names[REGRADES] = {
    [REGRADE_NONE] = "none", [REGRADE_WAITING] = "waiting", [REGRADE_ALL] = "all"};

void record_counters(const struct task_speed *s, char *text, size_t size)
{
    const struct task_counters *c = &s->counters;
    text[0] = '\0';
    if (c->cores > 0)
        text_fit(text, size, "%.1f cores on average", c->cores);
    if (c->function[0])
        text_fit(text, size, "%s%s%.0f%% of its time in %s", text, *text ? "; " : "",
                 100 * c->share, c->function);
    if (c->copy > 0)
        text_fit(text, size, "%s%s%.2g%% of this machine's copy bandwidth, for inputs and outputs",
                 text, *text ? "; " : "", 100 * c->copy);
    if (s->fraction_of_floor > 0 && !s->of_copy)
        text_fit(text, size, "%s%s%.1f%% of its multiply-adds' peak", text, *text ? "; " : "",
                 100 * s->fraction_of_floor);
}

/* How many tasks ended with a verdict. */
static int count_of(const struct record *r, enum verdict verdict)
{
    int n = 0;
    for (int i = 0; i < r->n_tasks; i++)
        n += r->tasks[i].outcome.verdict == verdict;
    return n;
}

/* Points are rounded where they are written, and nowhere else. */
static json_t *points_json(double points)
{
    return json_real(round(points * 100.0) / 100.0);
}

/* Text that came from a student's program or file, as any reader may show it. */
static json_t *text_json(const char *text)
{
    char *plain = hpc_strdup(text);
    hpc_harmless(plain);
    json_t *value = json_string(plain);
    free(plain);
    return value;
}

/* A number of ours that is not finite would be no JSON: null. */
static json_t *real_json(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *correctness_json(const struct task_correctness *c)
{
    return json_pack("{s:i, s:i, s:o}", "cases", c->cases, "passed", c->passed, "first_failure",
                     *c->first_failure ? text_json(c->first_failure) : json_null());
}

static json_t *known_json(double x)
{
    return x > 0 ? real_json(x) : json_null();
}

static json_t *counters_json(const struct task_counters *c)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "cores", known_json(c->cores), "function",
                     *c->function ? text_json(c->function) : json_null(), "share",
                     known_json(c->share), "copy", known_json(c->copy));
}

static json_t *speed_json(const struct task_speed *s)
{
    if (!s->measured)
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:b, s:o, s:o}",
                     "student_s", real_json(s->student_s), "baseline_s", real_json(s->baseline_s),
                     "ratio", real_json(s->ratio.value), "ci_low", real_json(s->ratio.low),
                     "ci_high", real_json(s->ratio.high), "pairs", s->pairs, "target",
                     real_json(s->target), "target_source", text_json(s->target_source),
                     "fraction_of_floor", known_json(s->fraction_of_floor), "disturbed",
                     real_json(s->disturbed), "of_copy", s->of_copy, "counters",
                     counters_json(&s->counters), "conditions",
                     json_pack("{s:o, s:o}", "before", conditions_json(&s->before), "after",
                               conditions_json(&s->after)));
}

static json_t *marks_json(const struct task_traffic *t)
{
    json_t *marks = json_array();
    for (int i = 0; i < t->n; i++) {
        const struct traffic_mark *m = &t->mark[i];
        json_array_append_new(
            marks, json_pack("{s:s, s:s, s:o, s:o, s:b}", "quantity", m->bound.quantity, "relation",
                             m->bound.at_least ? ">=" : "<=", "bound", real_json(m->bound.bound),
                             "measured", real_json(m->measured), "met", m->met));
    }
    return marks;
}

static json_t *traffic_json(const struct task_traffic *t)
{
    if (!t->measured)
        return json_null();
    json_t *kernels = json_array();
    for (int k = 0; k < t->counted.n; k++) {
        json_t *kernel = json_pack("{s:o}", "kernel", text_json(t->counted.kernel[k].name));
        for (int c = 0; c < TRAFFIC_COUNTERS; c++)
            json_object_set_new(kernel, traffic_names[c],
                                real_json(t->counted.kernel[k].counter[c]));
        json_array_append_new(kernels, kernel);
    }
    return json_pack("{s:s, s:o, s:o, s:o}", "case", t->case_name, "outputs", real_json(t->outputs),
                     "bounds", marks_json(t), "kernels", kernels);
}

/* One version: when, and what was given. */
static json_t *version_json(const struct task_answers *a, bool first)
{
    json_t *given = json_object();
    for (int i = 0; i < a->n; i++)
        json_object_set_new(given, a->given[i].key,
                            text_json(first ? a->given[i].first : a->given[i].counted));
    return json_pack("{s:s, s:o}", "time", first ? a->first_time : a->counted_time, "given", given);
}

static json_t *answers_json(const struct task_answers *a)
{
    if (!a->present)
        return json_null();
    return json_pack("{s:o, s:o, s:b, s:b, s:i, s:o, s:o}", "student", text_json(a->student),
                     "problem", text_json(a->problem), "final", a->final, "sealed", a->sealed,
                     "versions", a->versions, "first",
                     a->versions ? version_json(a, true) : json_null(), "counted",
                     a->versions ? version_json(a, false) : json_null());
}

static json_t *task_json(const struct task_result *t)
{
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:{s:i, s:i}, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
        "name", text_json(t->name), "title", text_json(t->title), "points", points_json(t->points),
        "max_points", points_json(t->max_points), "pending", points_json(t->pending),
        "pending_speed", points_json(t->pending_speed), "waited", "noisy", t->waited[0],
        "environment", t->waited[1], "verdict", verdict_names[t->outcome.verdict], "reason",
        text_json(t->outcome.reason), "hint", text_json(t->outcome.hint), "reproduce",
        text_json(t->reproduce), "safety", text_json(t->safety), "correctness",
        correctness_json(&t->correctness), "speed", speed_json(&t->speed), "traffic",
        traffic_json(&t->traffic), "answers", answers_json(&t->answers));
}

static json_t *submission_json(const struct record *r)
{
    if (!r->submission[0])
        return json_null();
    return json_pack("{s:o, s:o, s:s, s:o*}", "name", text_json(r->submission), "student",
                     r->student[0] ? text_json(r->student) : json_null(), "sha256", r->sha256,
                     "remark", r->remark[0] ? text_json(r->remark) : NULL);
}

static json_t *record_json(const struct record *r, const struct machine *m)
{
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, r->seed);
    json_t *tasks = json_array();
    for (int i = 0; i < r->n_tasks; i++)
        json_array_append_new(tasks, task_json(&r->tasks[i]));
    return json_pack(
        "{s:i, s:s, s:s, s:s, s:o, s:o, s:o, s:s, s:s, s:b, s:b, s:b, s:o, s:s, s:{s:i, s:i}, "
        "s:i, s:s, s:o, s:o}",
        "schema", 1, "lab", r->lab, "implementation", r->implementation, "device", r->device,
        "score", points_json(record_score(r)), "max_score", points_json(record_max_score(r)),
        "pending", points_json(record_pending(r)), "seed", seed, "version", r->version, "complete",
        r->complete, "official", r->official, "quick", r->quick, "machine", machine_json(m), "jail",
        r->jail, "waited", "noisy", r->waited_before[0] + count_of(r, VERDICT_NOISY), "environment",
        r->waited_before[1] + count_of(r, VERDICT_ENVIRONMENT), "gradings", r->gradings, "regrade",
        regrade_names[r->regrade], "submission", submission_json(r), "tasks", tasks);
}

/* All of text to a new file that is on the disk when this returns. */
static bool write_file(const char *path, const char *shown, const char *text, struct hpc_error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        return hpc_fail_env(err, "%s: %s; expected a file that can be written", shown,
                            strerror(errno));
    size_t length = strlen(text), done = 0;
    while (done < length) {
        ssize_t n = write(fd, text + done, length - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    bool good = done == length && fsync(fd) == 0;
    int cause = errno;
    if (close(fd) != 0)
        good = false;
    if (!good) {
        unlink(path);
        return hpc_fail_env(err, "%s: %s; expected room for %zu bytes", shown, strerror(cause),
                            length);
    }
    return true;
}

bool record_write(const struct record *r, const struct machine *m, const char *path,
                  struct hpc_error *err)
{
    json_t *json = record_json(r, m);
    HPC_ASSERT(
        json); /* json_pack fails on our own format only, or on texts of ours that are no UTF-8 */
    char *text = json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    json_decref(json);
    HPC_ASSERT(text);
    char *whole = hpc_printf("%s\n", text);
    char *temporary = scratch_beside(path);
    bool good = write_file(temporary, path, whole, err);
    if (good && rename(temporary, path) != 0) {
        good = hpc_fail_env(err, "%s: %s; expected to rename the record into place", path,
                            strerror(errno));
        unlink(temporary);
    }
    free(temporary);
    free(whole);
    free(text);
    return good;
}
