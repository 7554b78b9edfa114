#define _GNU_SOURCE
#include "harness/watch/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/json.h"
#include "common/verdict.h"
#include "common/ui.h"
#include "harness/record/record.h"

static char *now_text(void)
{
    char text[16] = "";
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local))
        strftime(text, sizeof text, "%H:%M:%S", &local);
    return hpc_strdup(text);
}

static void push(struct results *r, char *line, char *why)
{
    if (r->n == RESULTS_KEPT) {
        free(r->line[0]);
        free(r->why[0]);
        memmove(r->line, r->line + 1, (RESULTS_KEPT - 1) * sizeof *r->line);
        memmove(r->why, r->why + 1, (RESULTS_KEPT - 1) * sizeof *r->why);
        r->n--;
    }
    r->line[r->n] = line;
    r->why[r->n++] = why;
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

void results_add(struct results *r, const char *path, const struct lab_task *task,
                 const char *instead)
{
    char *now = now_text();
    json_t *record = json_file(path, NULL), *t = find_task(record, task->name);
    if (t) {
        json_t *right = json_object_get(t, "correctness");
        const char *verdict = text_of(t, "verdict"), *hint = text_of(t, "hint");
        const bool passed = strcmp(verdict, "pass") == 0,
                   waits = verdict_waits(verdict_of(verdict));
        const struct task_result had = {
            .points = json_number_value(json_object_get(t, "points")),
            .max_points = json_number_value(json_object_get(t, "max_points")),
            .pending = json_number_value(json_object_get(t, "pending"))};
        char points[60];
        record_task_points(&had, points, sizeof points);
        push(r,
             hpc_printf("%s  %-20s %s%s %-11s%s %2d/%-3d %*s%s", now, task->name,
                        ui_style(passed  ? UI_GOOD
                                 : waits ? UI_WARN
                                         : UI_BAD),
                        ui_mark(passed  ? UI_YES
                                : waits ? UI_WAITS
                                        : UI_NO),
                        verdict, ui_style(UI_PLAIN),
                        (int)json_integer_value(json_object_get(right, "passed")),
                        (int)json_integer_value(json_object_get(right, "cases")),
                        (int)(8 - strcspn(points, " ")), "", points),
             hpc_printf("%s%s%s", text_of(t, "reason"), *hint ? "; hint: " : "", hint));
    } else {
        push(r,
             hpc_printf("%s  %-20s %snot graded%s", now, task->name, ui_style(UI_WARN),
                        ui_style(UI_PLAIN)),
             hpc_strdup(instead));
    }
    json_decref(record);
    free(now);
}

void results_print(const struct results *r, bool all)
{
    for (int i = all ? 0 : r->n - 1; i >= 0 && i < r->n; i++) {
        printf("%s\n", r->line[i]);
        if (r->why[i][0])
            ui_paragraph(10, "", r->why[i]);
    }
}

void results_clear(struct results *r)
{
    for (int i = 0; i < r->n; i++) {
        free(r->line[i]);
        free(r->why[i]);
    }
    r->n = 0;
}
