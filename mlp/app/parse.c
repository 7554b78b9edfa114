/* Values of the command line and of the weights file: numbers, lists, names of activations. */
#define _GNU_SOURCE
#include "mlp/app/app.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/csv.h"

static const struct {
    const char *name;
    int value;
} activations[] = {
    {"identity", MLP_IDENTITY}, {"sigmoid", MLP_SIGMOID}, {"tanh", MLP_TANH},
    {"relu", MLP_RELU},         {"softmax", MLP_SOFTMAX},
};

bool app_wrong(const char *what, const char *found, const char *expected, struct hpc_error *err)
{
    char quoted[64];
    return hpc_fail(err, "%s: %s found, expected %s", what,
                    csv_quote(found, strlen(found), quoted, sizeof quoted), expected);
}

bool app_parse_int(const char *text, const char *what, long low, long high, int *value,
                   struct hpc_error *err)
{
    char *end, expected[80];
    errno = 0;
    long v = strtol(text, &end, 10);
    if (*text && !*end && !errno && v >= low && v <= high && *text != ' ' && *text != '+') {
        *value = (int)v;
        return true;
    }
    snprintf(expected, sizeof expected, "a whole number from %ld to %ld", low, high);
    return app_wrong(what, text, expected, err);
}

/* Split text at commas into at most max parts and hand each to `parse`; *n is their number. */
struct list {
    const char *what;
    int max, n;
    void *values;
    long high;
    bool (*parse)(const char *part, struct list *list, struct hpc_error *err);
};

static bool parse_list(const char *text, struct list *list, struct hpc_error *err)
{
    list->n = 0;
    for (;;) {
        size_t length = strcspn(text, ",");
        if (list->n == list->max)
            return hpc_fail(err, "%s: more than %d values, expected at most %d", list->what,
                            list->max, list->max);
        char *part = strndup(text, length);
        bool ok = part && list->parse(part, list, err);
        free(part);
        if (!ok)
            return false;
        list->n++;
        if (!text[length])
            return true;
        text += length + 1;
    }
}

static bool parse_units(const char *part, struct list *list, struct hpc_error *err)
{
    return app_parse_int(part, list->what, 1, list->high, (int *)list->values + list->n, err);
}

static bool parse_activation(const char *part, struct list *list, struct hpc_error *err)
{
    for (size_t i = 0; i < sizeof activations / sizeof *activations; i++)
        if (strcmp(part, activations[i].name) == 0) {
            ((int *)list->values)[list->n] = activations[i].value;
            return true;
        }
    return app_wrong(list->what, part, "identity, sigmoid, tanh, relu or softmax", err);
}

static bool parse_rate(const char *part, struct list *list, struct hpc_error *err)
{
    char *end;
    double v = strtod(part, &end);
    if (!*part || *end || !isfinite(v) || v < 0 || strspn(part, "0123456789.eE+-") != strlen(part))
        return app_wrong(list->what, part, "a number from 0 on, such as 0.01", err);
    ((double *)list->values)[list->n] = v;
    return true;
}

bool app_parse_int_list(const char *text, const char *what, long high, int max, int *n, int *out,
                        struct hpc_error *err)
{
    struct list list = {.what = what, .max = max, .values = out, .high = high};
    list.parse = parse_units;
    bool ok = parse_list(text, &list, err);
    *n = list.n;
    return ok;
}

bool app_parse_activations(const char *text, const char *what, int max, int *n, int *out,
                           struct hpc_error *err)
{
    struct list list = {.what = what, .max = max, .values = out, .parse = parse_activation};
    bool ok = parse_list(text, &list, err);
    *n = list.n;
    return ok;
}

bool app_parse_rates(const char *text, const char *what, int max, int *n, double *out,
                     struct hpc_error *err)
{
    struct list list = {.what = what, .max = max, .values = out, .parse = parse_rate};
    bool ok = parse_list(text, &list, err);
    *n = list.n;
    return ok;
}

const char *app_activation_name(int activation)
{
    for (size_t i = 0; i < sizeof activations / sizeof *activations; i++)
        if (activations[i].value == activation)
            return activations[i].name;
    return "?";
}
