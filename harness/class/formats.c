/* JSON, XML and CSV of other systems. Points that wait are never part of a score or of its maximum.
 */
#define _GNU_SOURCE
#include "harness/class/formats.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/text.h"
#include "harness/class/page.h"
#include "harness/report/html.h"

void format_score(const struct record *r, char *text, size_t size)
{
    const double pending = record_pending(r);
    record_points(record_score(r), record_max_score(r), record_bonus(r), text, size);
    if (pending > 0)
        text_fit(text, size, "%s; %g more%s are pending", text, pending,
                 record_pending_speed(r) ? " for speed" : "");
}

static double rounded(double x)
{
    return round(x * 100) / 100;
}

/* Lines stay lines. */
static json_t *words_json(const char *words)
{
    char *plain = hpc_strdup(words);
    for (char *line = plain, *end; line; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end = '\0';
        hpc_harmless(line);
        if (end)
            *end++ = '\n';
    }
    json_t *value = json_string(plain);
    free(plain);
    return value;
}

/* What a student is told of a task: verdict, cases, reason, hint, what is pending. */
static char *task_words(const struct task_result *t)
{
    struct text words = {0};
    text_add(&words, "%s", verdict_names[t->outcome.verdict]);
    if (t->correctness.cases)
        text_add(&words, ", %d of %d cases", t->correctness.passed, t->correctness.cases);
    if (t->pending > 0)
        text_add(&words, ", %g points pending", t->pending);
    if (t->outcome.reason[0])
        text_add(&words, ": %s", t->outcome.reason);
    if (t->outcome.hint[0])
        text_add(&words, "\nhint: %s", t->outcome.hint);
    return text_take(&words);
}

static json_t *task_json(const struct task_result *t)
{
    char *words = task_words(t);
    json_t *json = words_json(words);
    free(words);
    return json;
}

/* What there is to have: a share is of all, so that it is never whole while points wait. */
static double total(const struct record *r)
{
    return record_max_score(r) + record_pending(r);
}

static bool passed(const struct task_result *t)
{
    return t->outcome.verdict == VERDICT_PASS ||
           (verdict_waits(t->outcome.verdict) && t->points > 0);
}

/* Another grading's business, with --only: a score of 0 would take away what that one gave. */
static bool left_out(const struct task_result *t)
{
    return t->outcome.verdict == VERDICT_SKIPPED && !(t->max_points > 0) && !(t->pending > 0);
}

/* Of none of the lab's points. */
static bool is_bonus(const struct task_result *t)
{
    return !(t->max_points > 0) && !(t->pending > 0) && !left_out(t);
}

/* Behind a task's name. */
static const char *bonus_word(const struct task_result *t)
{
    return is_bonus(t) ? " (bonus)" : "";
}

static json_t *name_json(const struct task_result *t)
{
    return json_sprintf("%s%s", t->name, bonus_word(t));
}

static json_t *gradescope(const struct record *r)
{
    json_t *tests = json_array(), *board = json_array();
    char score[120];
    format_score(r, score, sizeof score);
    for (int i = 0; i < r->n_tasks; i++) {
        const struct task_result *t = &r->tasks[i];
        if (left_out(t))
            continue;
        json_t *test =
            json_pack("{s:o, s:o, s:o, s:s}", "score", json_real(rounded(t->points)), "name",
                      name_json(t), "output", task_json(t), "visibility", "visible");
        if (!is_bonus(t)) /* no points are lost where there is none */
            json_object_set_new(test, "max_score", json_real(rounded(t->max_points)));
        if (t->max_points > 0 || t->points > 0)
            json_object_set_new(test, "status", json_string(passed(t) ? "passed" : "failed"));
        json_array_append_new(tests, test);
        if (t->speed.measured && t->speed.target > 0)
            json_array_append_new(board, json_pack("{s:s, s:f, s:s}", "name", t->name, "value",
                                                   rounded(t->speed.ratio.value), "order", "desc"));
    }
    return json_pack("{s:o, s:s, s:s, s:s, s:o, s:o, s:{s:f, s:s}}", "score",
                     json_real(rounded(record_score(r))), "output", score, "visibility", "visible",
                     "stdout_visibility", "hidden", "tests", tests, "leaderboard", board,
                     "extra_data", "pending", rounded(record_pending(r)), "version", r->version);
}

static json_t *autolab(const struct record *r)
{
    json_t *scores = json_object(), *board = json_array();
    for (int i = 0; i < r->n_tasks; i++) {
        const struct task_result *t = &r->tasks[i];
        if (!left_out(t))
            json_object_set_new(scores, t->name, json_real(rounded(t->points)));
        json_array_append_new(board,
                              json_real(t->speed.measured ? rounded(t->speed.ratio.value) : 0));
    }
    return json_pack("{s:o, s:o}", "scores", scores, "scoreboard", board);
}

/* The reporter adds up the scores of tests: a bonus has what the others leave of the maximum. */
static json_t *classroom(const struct record *r)
{
    json_t *tests = json_array();
    bool all = true;
    double room = total(r) - (record_score(r) - record_bonus(r));
    for (int i = 0; i < r->n_tasks; i++) {
        const struct task_result *t = &r->tasks[i];
        if (left_out(t))
            continue;
        const bool bonus = is_bonus(t),
                   full = passed(t) &&
                          (bonus ? t->points > 0
                                 : t->points >= t->max_points - 1e-9 && !(t->pending > 0));
        const double score = bonus ? fmin(t->points, room) : t->points;
        all = all && (full || bonus);
        room -= bonus ? score : 0;
        json_array_append_new(tests, json_pack("{s:o, s:s, s:f, s:o, s:s, s:n, s:i}", "name",
                                               name_json(t), "status", full ? "pass" : "fail",
                                               "score", rounded(score), "message", task_json(t),
                                               "test_code", t->title, "filename", "line_no", 0));
    }
    return json_pack("{s:i, s:s, s:f, s:o}", "version", 1, "status", all ? "pass" : "fail",
                     "max_score", rounded(total(r)), "tests", tests);
}

static json_t *prairielearn(const struct record *r)
{
    json_t *tests = json_array();
    const double most = total(r);
    double share = most > 0 ? record_score(r) / most : 0;
    char score[120];
    format_score(r, score, sizeof score);
    for (int i = 0; i < r->n_tasks; i++) {
        const struct task_result *t = &r->tasks[i];
        if (left_out(t))
            continue;
        json_array_append_new(
            tests, json_pack("{s:o, s:s, s:f, s:f, s:o}", "name", name_json(t), "description",
                             t->title, "points", rounded(t->points), "max_points",
                             rounded(fmax(t->points, t->max_points)), "output", task_json(t)));
    }
    share = share > 1 ? 1 : share; /* a bonus counts up to all points */
    return json_pack("{s:b, s:f, s:s, s:o}", "gradable", 1, "score", share, "message", score,
                     "tests", tests);
}

/* Neither right nor lost: it waits, or is a bonus that gave nothing. */
static bool is_skipped(const struct task_result *t)
{
    return verdict_waits(t->outcome.verdict) || (t->outcome.verdict != VERDICT_PASS && is_bonus(t));
}

static void junit(const struct record *r, struct text *t)
{
    int failed = 0, skipped = 0;
    for (int i = 0; i < r->n_tasks; i++) {
        const bool waits = is_skipped(&r->tasks[i]);
        skipped += waits;
        failed += !waits && r->tasks[i].outcome.verdict != VERDICT_PASS;
    }
    text_add(t,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"%s\" tests=\"%d\" "
             "failures=\"%d\" errors=\"0\" skipped=\"%d\">\n",
             r->lab, r->n_tasks, failed, skipped);
    for (int i = 0; i < r->n_tasks; i++) {
        const struct task_result *k = &r->tasks[i];
        char *words = task_words(k);
        text_add(t, "  <testcase classname=\"%s\" name=\"%s%s\">", r->lab, k->name, bonus_word(k));
        if (k->outcome.verdict != VERDICT_PASS) {
            text_add(t, is_skipped(k) ? "<skipped message=\"" : "<failure message=\"");
            html_words(t, words);
            text_add(t, "\"/>");
        }
        text_add(t, "</testcase>\n");
        free(words);
    }
    text_add(t, "</testsuite>\n");
}

static void canvas(const struct record *r, struct text *t)
{
    const char *id = r->student[0] ? r->student : r->submission;
    text_add(t, "Student,ID,SIS User ID,SIS Login ID,Section,");
    page_field(t, r->lab);
    text_add(t, "\n    Points Possible,,,,,%.10g\n", rounded(total(r)));
    page_field(t, id);
    text_add(t, ",,");
    page_field(t, id);
    text_add(t, ",,,%.10g\n", rounded(record_score(r)));
}

static void moodle(const struct record *r, struct text *t)
{
    char score[120];
    format_score(r, score, sizeof score);
    text_add(t, FORMAT_MOODLE);
    page_field(t, r->student[0] ? r->student : r->submission);
    text_add(t, ",%.10g,%.10g,", rounded(record_score(r) - record_bonus(r)), rounded(total(r)));
    page_field(t, score);
    text_add(t, ",%.10g\n", rounded(record_bonus(r)));
}

static const struct {
    const char *name;
    json_t *(*json)(const struct record *r);
    void (*text)(const struct record *r, struct text *t);
} formats[] = {
    {"gradescope", gradescope, NULL}, {"autolab", autolab, NULL},
    {"classroom", classroom, NULL},   {"prairielearn", prairielearn, NULL},
    {"junit", NULL, junit},           {"canvas", NULL, canvas},
    {"moodle", NULL, moodle},
};

bool format_write(const char *name, const struct record *r, const char *path, struct hpc_error *err)
{
    const size_t n = sizeof formats / sizeof *formats;
    struct text t = {0};
    size_t i = 0;
    while (i < n && strcmp(formats[i].name, name) != 0)
        i++;
    if (i == n)
        return hpc_fail(err,
                        "--format %.40s: expected gradescope, autolab, classroom, prairielearn, "
                        "junit, canvas or moodle",
                        name);
    if (formats[i].json) {
        json_t *json = formats[i].json(r);
        HPC_ASSERT(json);
        char *dumped = json_dumps(json, JSON_REAL_PRECISION(12));
        text_add(&t, "%s\n", dumped);
        free(dumped);
        json_decref(json);
    } else
        formats[i].text(r, &t);
    FILE *f = fopen(path, "we");
    bool good = f && fwrite(text_string(&t), 1, t.length, f) == t.length;
    if (f && fclose(f) != 0)
        good = false;
    if (!good)
        hpc_fail_env(err, "%s: %s, expected room for %zu bytes", path, strerror(errno), t.length);
    text_free(&t);
    return good;
}
