#include "harness/trial/checker_report.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "common/defence.h"
#include "common/error.h"
#include "common/random.h"

void checker_key(char env[48], char key[24])
{
    snprintf(key, 24, "%016" PRIx64, hpc_random_seed());
    snprintf(env, 48, "HPC_DEVICE_KEY=%s", key);
}

static void text(const json_t *object, const char *name, char *to, size_t size)
{
    const char *value = json_string_value(json_object_get(object, name));
    snprintf(to, size, "%s", value ? value : "");
    hpc_harmless(to); /* the line was plain; what JSON wrote as \u001b is so no longer */
}

/* Where one more kernel is counted: those that have no place of their own share the last. */
static struct traffic_kernel *kernel_place(const json_t *object, struct traffic *t)
{
    struct traffic_kernel *k = &t->kernel[TRAFFIC_MAX_KERNELS - 1];
    if (t->n < TRAFFIC_MAX_KERNELS) {
        k = &t->kernel[t->n++];
        text(object, "kernel", k->name, sizeof k->name);
        return k;
    }
    if (DEFENCE(all_kernels)) {
        snprintf(k->name, sizeof k->name, "all others");
        return k;
    }
    return NULL;
}

static void add_traffic(const json_t *object, struct traffic *t)
{
    struct traffic_kernel *k = kernel_place(object, t);
    for (int c = 0; k && c < TRAFFIC_COUNTERS; c++) {
        char name[60];
        snprintf(name, sizeof name, "%s_scattered", traffic_names[c]);
        const json_t *scattered = json_object_get(object, name);
        k->counter[c] += json_number_value(json_object_get(object, traffic_names[c]));
        k->scattered[c].requests += json_number_value(json_array_get(scattered, 0));
        k->scattered[c].units += json_number_value(json_array_get(scattered, 1));
    }
}

static void read_place(const json_t *object, struct traffic_place *p)
{
    char file[160];
    text(object, "kernel", p->kernel, sizeof p->kernel);
    text(object, "variable", p->variable, sizeof p->variable);
    text(object, "file", file, sizeof file);
    const char *shown = strncmp(file, "./", 2) == 0 ? file + 2 : file;
    snprintf(p->at, sizeof p->at, "%s:%d", shown,
             (int)json_integer_value(json_object_get(object, "line")));
    p->requests = json_number_value(json_object_get(object, "requests"));
    p->units = json_number_value(json_object_get(object, "units"));
    p->lanes = json_number_value(json_object_get(object, "lanes"));
}

/* A line of the source, by its kind of access. */
static void keep_place(const json_t *object, struct traffic_place place[])
{
    static const struct {
        const char *access;
        enum traffic_counter requests;
    } kinds[] = {{"global load", TRAFFIC_GLOBAL_LOAD_REQUESTS},
                 {"global store", TRAFFIC_GLOBAL_STORE_REQUESTS},
                 {"shared load", TRAFFIC_SHARED_LOAD_REQUESTS},
                 {"shared store", TRAFFIC_SHARED_STORE_REQUESTS}};
    char access[40];
    struct traffic_place p;
    text(object, "access", access, sizeof access);
    read_place(object, &p);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct traffic_place *most = &place[kinds[i].requests], *each = most + 1;
        if (strcmp(access, kinds[i].access) != 0 || !(p.requests > 0))
            continue;
        if (p.requests > most->requests)
            *most = p;
        if (!each->at[0] || p.units * each->requests > each->units * p.requests)
            *each = p;
    }
}

static void read_fault(const json_t *object, struct checker_fault *f)
{
    char file[160];
    text(object, "kind", f->kind, sizeof f->kind);
    text(object, "kernel", f->kernel, sizeof f->kernel);
    text(object, "text", f->text, sizeof f->text);
    text(object, "advice", f->advice, sizeof f->advice);
    text(object, "file", file, sizeof file);
    const char *shown = strncmp(file, "./", 2) == 0 ? file + 2 : file;
    json_int_t line = json_integer_value(json_object_get(object, "line"));
    f->place[0] = '\0';
    if (*shown)
        snprintf(f->place, sizeof f->place, "%s:%d", shown, (int)line);
}

static void list_fault(FILE *list, const struct checker_fault *f)
{
    fprintf(list, "%s%s%s%s%s\n  %s\n", f->kind, *f->kernel ? " in " : "", f->kernel,
            *f->place ? ", " : "", f->place, f->text);
    if (*f->advice)
        fprintf(list, "  %s\n", f->advice);
}

/* Whether it is the solution's that the host computes in run(). */
static bool is_fault(const struct checker_fault *f)
{
    if (DEFENCE(host_in_run))
        return true;
    return strncmp(f->kind, "host-", 5) != 0 || strcmp(f->kind, "host-pointer") == 0;
}

/* A race may come before its echoes; where barriers do not meet, it is one. That run() waits makes
 * nothing wrong, as what the others tell of does. */
static int weight(const struct checker_fault *f)
{
    if (strcmp(f->kind, "host-in-run") == 0)
        return -1;
    return strcmp(f->kind, "divergent-barrier") == 0 ? 2 : strncmp(f->kind, "race", 4) == 0 ? 1 : 0;
}

static void read_line(const json_t *object, FILE *list, struct checker_reports *r)
{
    struct checker_fault fault;
    read_fault(object, &fault);
    if (strcmp(fault.kind, "end") == 0) {
        r->ended = true;
        if (DEFENCE(all_reports))
            r->ended = json_integer_value(json_object_get(object, "lines")) == r->lines;
        return;
    }
    r->lines++;
    if (strcmp(fault.kind, "traffic") == 0) {
        add_traffic(object, &r->traffic);
        return;
    }
    if (strcmp(fault.kind, "traffic-line") == 0) { /* the same by line */
        keep_place(object, r->place);
        return;
    }
    if (strcmp(fault.kind, "unset-constant") == 0) { /* zeros may be meant */
        r->unset = r->unset.kind[0] ? r->unset : fault;
        return;
    }
    if (!is_fault(&fault))
        return;
    if (list)
        list_fault(list, &fault);
    if (DEFENCE(host_computes) &&
        (strcmp(fault.kind, "host-computes") == 0 || strcmp(fault.kind, "host-checker") == 0))
        r->host = fault;
    if (r->faults++ == 0 || weight(&fault) > weight(&r->first))
        r->first = fault;
}

/* A line that bears the key is the checker's; one that can't be read was cut, or tampered with. */
static void read_keyed(const char *json, size_t n, FILE *list, FILE *raw, struct checker_reports *r)
{
    json_error_t ignored;
    json_t *object = json_loadb(json, n, 0, &ignored);
    if (json_is_object(object)) {
        read_line(object, list, r);
        if (raw && json_dumpf(object, raw, JSON_COMPACT | JSON_ENSURE_ASCII) == 0)
            fputc('\n', raw);
    } else if (DEFENCE(unread_report)) {
        struct checker_fault fault = {.kind = "unreadable"};
        snprintf(fault.text, sizeof fault.text,
                 "a report of the checker's can't be read: %.120s, expected one line of JSON",
                 ignored.text);
        hpc_harmless(fault.text);
        if (list)
            list_fault(list, &fault);
        if (r->faults++ == 0)
            r->first = fault;
    }
    json_decref(object);
}

/* What the CPU device's libraries print of a call that they refuse. */
static void read_library(const char *output, struct checker_fault *f)
{
    static const char by[] = "hpclab: ";
    for (const char *line = output; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *words = line + strlen(by);
        if (strncmp(line, by, strlen(by)) != 0 || strncmp(words, "note: ", 6) == 0 ||
            strncmp(words, "the launch ", 11) == 0 || strncmp(words, "kernel ", 7) == 0)
            continue;
        snprintf(f->kind, sizeof f->kind, "library");
        snprintf(f->text, sizeof f->text,
                 "a call of a library failed, and its status is not looked at: %.*s",
                 (int)strcspn(words, "\n"), words);
        snprintf(f->advice, sizeof f->advice, "a call that fails does nothing");
        hpc_harmless(f->text);
        return;
    }
}

void checker_reports_read(const char *output, const char *key, FILE *list, FILE *raw,
                          struct checker_reports *reports)
{
    char mark[40];
    snprintf(mark, sizeof mark, "@%.30s", key);
    const size_t length = strlen(mark);
    memset(reports, 0, sizeof *reports);
    for (const char *line = output; (line = strstr(line, mark)) != NULL;) {
        const bool first = line == output || line[-1] == '\n';
        line += length;
        size_t n = strcspn(line, "\n");
        if (DEFENCE(any_column) || first) /* a program may have printed half a line before it */
            read_keyed(line, n, list, raw, reports);
        line += n;
    }
    if (!reports->unset.kind[0])
        read_library(output, &reports->unset);
}
