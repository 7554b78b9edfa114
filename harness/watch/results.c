#define _GNU_SOURCE
#include "harness/watch/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/json.h"
#include "common/text.h"
#include "common/ui.h"

static char *now_text(void)
{
    char text[16] = "";
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local))
        strftime(text, sizeof text, "%H:%M:%S", &local);
    return hpc_strdup(text);
}

static void forget(struct result *r)
{
    free(r->line);
    free(r->why);
}

static void push(struct results *r, const struct result *new)
{
    if (r->n == RESULTS_KEPT) {
        forget(&r->result[0]);
        memmove(r->result, r->result + 1, (RESULTS_KEPT - 1) * sizeof *r->result);
        r->n--;
    }
    r->result[r->n++] = *new;
}

static json_t *find_task(json_t *record, const char *name)
{
    size_t i;
    json_t *task;
    json_array_foreach(json_object_get(record, "tasks"), i, task)
    {
        const char *found = json_string_value(json_object_get(task, "name"));
        if (found && strcmp(found, name) == 0)
            return task;
    }
    return NULL;
}

static const char *text_of(json_t *task, const char *key)
{
    const char *text = json_string_value(json_object_get(task, key));
    return text ? text : "";
}

static enum verdict verdict_of(const char *name)
{
    int v = 0;
    while (v < VERDICT_SKIPPED && strcmp(verdict_names[v], name) != 0)
        v++;
    return (enum verdict)v;
}

/* The task's last one that was graded, or NULL. */
static const struct result *before_of(const struct results *r, const char *task)
{
    for (int i = r->n - 1; i >= 0; i--)
        if (r->result[i].graded && strcmp(r->result[i].task, task) == 0)
            return &r->result[i];
    return NULL;
}

/* What differs from the one before; a ratio does where the intervals are apart. */
static void say_change(const struct result *now, const struct result *was, char *text, size_t size)
{
    const double one = now->speed.ratio.value, other = was ? was->speed.ratio.value : 0;
    char ratio[60] = "";
    if (was)
        record_ratio(&was->speed, ratio, sizeof ratio);
    ratio[strcspn(ratio, " ")] = '\0';
    if (!was)
        text_fit(text, size, "%s", "");
    else if (was->verdict != now->verdict)
        text_fit(text, size, "was %s", verdict_names[was->verdict]);
    else if (was->passed != now->passed)
        text_fit(text, size, "was %d/%d", was->passed, was->cases);
    else if (one > 0 && other > 0 && now->speed.ratio.low > was->speed.ratio.high)
        text_fit(text, size, "up from %s", ratio);
    else if (one > 0 && other > 0 && now->speed.ratio.high < was->speed.ratio.low)
        text_fit(text, size, "down from %s", ratio);
    else if (one > 0 && other > 0)
        text_fit(text, size, "within noise");
    else
        text_fit(text, size, now->points == was->points ? "as before" : "was %.1f", was->points);
}

/* The record's words of a task, and its line: 80 columns. */
static void fill(struct result *r, const struct result *was, const char *now, json_t *t)
{
    json_t *right = json_object_get(t, "correctness"), *speed = json_object_get(t, "speed");
    const char *verdict = text_of(t, "verdict"), *hint = text_of(t, "hint");
    char cases[24] = "-", ratio[60] = "-", points[32], change[40];
    const struct task_result had = {.points = json_number_value(json_object_get(t, "points")),
                                    .max_points =
                                        json_number_value(json_object_get(t, "max_points")),
                                    .pending = json_number_value(json_object_get(t, "pending"))};
    r->graded = true;
    r->verdict = verdict_of(verdict);
    r->passed = (int)json_integer_value(json_object_get(right, "passed"));
    r->cases = (int)json_integer_value(json_object_get(right, "cases"));
    r->points = had.points;
    r->speed.ratio.value = json_number_value(json_object_get(speed, "ratio"));
    r->speed.ratio.low = json_number_value(json_object_get(speed, "ci_low"));
    r->speed.ratio.high = json_number_value(json_object_get(speed, "ci_high"));
    r->speed.target = json_number_value(json_object_get(speed, "target"));
    r->speed.of_copy = json_is_true(json_object_get(speed, "of_copy"));
    if (r->cases > 0)
        text_fit(cases, sizeof cases, "%d/%d", r->passed, r->cases);
    if (r->speed.ratio.value > 0)
        record_ratio(&r->speed, ratio, sizeof ratio);
    ratio[strcspn(ratio, " ")] = '\0';
    record_task_cell(&had, points, sizeof points);
    say_change(r, was, change, sizeof change);
    const bool passed = r->verdict == VERDICT_PASS, waits = verdict_waits(r->verdict);
    r->line = hpc_printf("%s  %-15s %s%s %-11s%s %5s %6s %9s  %s", now, r->task,
                         ui_style(passed  ? UI_GOOD
                                  : waits ? UI_WARN
                                          : UI_BAD),
                         ui_mark(passed  ? UI_YES
                                 : waits ? UI_WAITS
                                         : UI_NO),
                         verdict, ui_style(UI_PLAIN), cases, ratio, points, change);
    r->why = hpc_printf("%s%s%s", text_of(t, "reason"), *hint ? "; hint: " : "", hint);
}

void results_add(struct results *r, const char *path, const struct lab_task *task,
                 const char *instead)
{
    char *now = now_text();
    json_t *record = json_file(path, NULL), *t = find_task(record, task->name);
    struct result new = {.graded = false};
    text_fit(new.task, sizeof new.task, "%s", task->name);
    if (t) {
        fill(&new, before_of(r, task->name), now, t);
    } else {
        new.line = hpc_printf("%s  %-15s %snot graded%s", now, task->name, ui_style(UI_WARN),
                              ui_style(UI_PLAIN));
        new.why = hpc_strdup(instead);
    }
    push(r, &new);
    json_decref(record);
    free(now);
}

void results_print(const struct results *r, bool all)
{
    if (all && r->n)
        printf("%s  time    %-15s    %-11s %5s %6s %9s  before%s\n", ui_style(UI_DIM), "task",
               "verdict", "cases", "speed", "points", ui_style(UI_PLAIN));
    for (int i = all ? 0 : r->n - 1; i >= 0 && i < r->n; i++)
        puts(r->result[i].line);
    if (r->n && r->result[r->n - 1].why[0])
        ui_paragraph(10, "", r->result[r->n - 1].why);
}

void results_clear(struct results *r)
{
    for (int i = 0; i < r->n; i++)
        forget(&r->result[i]);
    r->n = 0;
}
