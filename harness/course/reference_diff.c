/* hpclab reference diff: two files of reference/, task by task. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "common/ui.h"
#include "harness/course/course.h"

/* A name of reference/, or a path. */
static json_t *open_reference(const char *root, const char *name, struct hpc_error *err)
{
    struct hpc_error why;
    const bool path = strchr(name, '/') || strstr(name, ".json");
    char *file = path ? hpc_strdup(name) : hpc_printf("%s/reference/%s.json", root, name);
    json_t *json = json_file(file, &why);
    if (!json_is_object(json_object_get(json, "tasks"))) {
        if (json)
            hpc_fail(&why, "%s: no tasks in it", file);
        hpc_fail(err, "%s, expected a file of `make reference` or a name of reference/", why.text);
        json_decref(json);
        json = NULL;
    }
    free(file);
    return json;
}

static const char *words(const json_t *file, const char *key)
{
    const json_t *value = json_object_get(json_object_get(file, "machine"), key);
    const char *text = json_string_value(value ? value : json_object_get(file, key));
    return text ? text : "";
}

static double number(const json_t *entry, const char *key)
{
    return json_number_value(json_object_get(entry, key));
}

/* A line of a task that both have; whether their ratios differ by more than both intervals. */
static bool print_task(const char *task, const json_t *a, const json_t *b)
{
    const double before = number(a, "ratio"), now = number(b, "ratio");
    const bool apart =
        number(a, "ci_high") < number(b, "ci_low") || number(b, "ci_high") < number(a, "ci_low");
    char base[2][16];
    printf("%c %-28s %7.2fx %7.2fx %+7.1f%%  %10s %10s\n", apart ? '*' : ' ', task, before, now,
           before > 0 ? 100 * (now / before - 1) : 0,
           ui_seconds(number(a, "baseline_seconds"), base[0], sizeof base[0]),
           ui_seconds(number(b, "baseline_seconds"), base[1], sizeof base[1]));
    return apart;
}

static void print_change(const char *key, const char *before, const char *now)
{
    char *label = hpc_printf("%s:", key), *text = hpc_printf("%s, then %s", before, now);
    ui_paragraph(2, label, text);
    free(text);
    free(label);
}

static int print_diff(const json_t *a, const json_t *b)
{
    static const char *const keys[] = {"cpu", "os", "compiler", "simd", "version", "date"};
    json_t *before = json_object_get(a, "tasks"), *now = json_object_get(b, "tasks");
    const char *task;
    json_t *entry;
    int differ = 0, alone = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(words(a, keys[i]), words(b, keys[i])) != 0)
            print_change(keys[i], words(a, keys[i]), words(b, keys[i]));
    printf("  %-28s %8s %8s %8s  %10s %10s\n", "task", "ratio", "then", "", "baseline", "then");
    json_object_foreach(before, task, entry)
    {
        json_t *other = json_object_get(now, task);
        if (other)
            differ += print_task(task, entry, other);
        else
            printf("* %-28s in the first alone\n", task);
        alone += !other;
    }
    json_object_foreach(now, task, entry) if (!json_object_get(before, task))
    {
        printf("* %-28s in the second alone\n", task);
        alone++;
    }
    printf("%d differ by more than their intervals, %d are in one file alone (*)\n", differ, alone);
    return differ + alone;
}

int verb_reference_diff(const struct project *p, const char *first, const char *second)
{
    struct hpc_error err;
    json_t *a = open_reference(p->root, first, &err);
    json_t *b = a ? open_reference(p->root, second, &err) : NULL;
    const int status = !b ? hpc_report(&err) : print_diff(a, b) ? HPC_EXIT_BELOW : HPC_EXIT_OK;
    json_decref(a);
    json_decref(b);
    return status;
}
