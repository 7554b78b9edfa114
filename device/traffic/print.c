/* The traffic of each kernel, as a line of text or of JSON. */
#include <stdio.h>
#include <string.h>

#include "device/traffic/traffic.h"

static const struct {
    const char *requests, *units; /* keys; NULL: not printed */
    const char *name, *unit;
} columns[TRAFFIC_KINDS] = {
    [GLOBAL_LOAD] = {"global_load_requests", "global_load_sectors", "global loads", "sectors"},
    [GLOBAL_STORE] = {"global_store_requests", "global_store_sectors", "global stores", "sectors"},
    [SHARED_LOAD] = {"shared_load_requests", "shared_load_conflicts", "shared loads",
                     "extra passes"},
    [SHARED_STORE] = {"shared_store_requests", "shared_store_conflicts", "shared stores",
                      "extra passes"},
    [CONSTANT_LOAD] = {"constant_requests", "constant_conflicts", "constant loads", "extra passes"},
    [ATOMIC] = {"atomics", "atomic_sectors", "atomics", "sectors"},
    [SHARED_ATOMIC] = {"shared_atomics", "shared_atomic_conflicts", "atomics on shared memory",
                       "extra passes"},
};

void check_traffic_print_one(const struct traffic *t)
{
    char json[MAX_REPORT], text[MAX_REPORT];
    snprintf(json, sizeof json, "{\"kind\":\"traffic\",\"kernel\":\"");
    check_append_json(json, sizeof json, t->kernel);
    check_append(json, sizeof json, "\",\"launches\":%llu,\"threads\":%llu",
                 (unsigned long long)t->launches, (unsigned long long)t->threads);
    const char *many = t->launches == 1 ? "" : t->threads ? "es" : "s";
    snprintf(text, sizeof text, "check: traffic of %s (%llu %s%s", t->kernel,
             (unsigned long long)t->launches, t->threads ? "launch" : "call", many);
    if (t->threads) /* else a copy */
        check_append(text, sizeof text, ", %llu threads", (unsigned long long)t->threads);
    check_append(text, sizeof text, "):");
    const char *comma = "";
    for (int k = 0; k < TRAFFIC_KINDS; k++) {
        unsigned long long requests = t->requests[k], units = t->units[k];
        check_append(json, sizeof json, ",\"%s\":%llu", columns[k].requests, requests);
        if (columns[k].units)
            check_append(json, sizeof json, ",\"%s\":%llu", columns[k].units, units);
        if (t->scattered[k])
            check_append(json, sizeof json, ",\"%s_scattered\":[%llu,%llu]", columns[k].units,
                         (unsigned long long)t->scattered[k],
                         (unsigned long long)t->scattered_units[k]);
        if (requests == 0)
            continue;
        check_append(text, sizeof text, "%s %llu %s", comma, requests, columns[k].name);
        if (k == GLOBAL_LOAD || k == GLOBAL_STORE || k == ATOMIC)
            check_append(text, sizeof text, " of %.2f sectors", (double)units / (double)requests);
        else if (columns[k].units)
            check_append(text, sizeof text, " with %llu %s", units, columns[k].unit);
        comma = ",";
    }
    check_append(json, sizeof json, "}");
    check_report_print(json, text);
}
