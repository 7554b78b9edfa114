/* Reading reference/NAME.json: the full-marks ratio of a task on this machine. */
#define _GNU_SOURCE
#include "harness/record/reference.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "common/sha256.h"
#include "common/text.h"
#include "harness/lab/case.h"
#include "harness/record/score.h"

struct found {
    double ratio, capacity;
    int threads;
    char machine[80], compiler[128], sources[65];
};

static void copy_word(const json_t *entry, const char *key, char *to, size_t size)
{
    const char *word = json_string_value(json_object_get(entry, key));
    text_fit(to, size, "%s", word ? word : "");
}

/* What a file records of LAB/TASK; false where it does not hold it. */
static bool find_entry(const json_t *file, const char *lab, const char *task, struct found *found)
{
    char key[120];
    snprintf(key, sizeof key, "%s/%s", lab, task);
    const json_t *entry = json_object_get(json_object_get(file, "tasks"), key);
    const json_t *ratio = json_object_get(entry, "ratio");
    if (!json_is_number(ratio) || !(json_number_value(ratio) > 0))
        return false;
    found->ratio = json_number_value(ratio);
    found->threads = (int)json_integer_value(json_object_get(entry, "threads"));
    found->capacity = json_number_value(json_object_get(entry, "capacity"));
    copy_word(entry, "compiler", found->compiler, sizeof found->compiler);
    copy_word(entry, "sources", found->sources, sizeof found->sources);
    return true;
}

/* What this machine's own file records. */
static bool own_entry(const struct project *p, const struct machine *m, const char *task,
                      struct found *found)
{
    char *path = hpc_printf("%s/reference/%s.json", p->root, m->name);
    json_t *file = json_file(path, NULL);
    bool good = find_entry(file, p->lab->name, task, found);
    json_decref(file);
    free(path);
    return good;
}

/* How unlike this machine the one of a file is; lower is nearer, negative: another architecture. */
static int distance(const json_t *file, const struct machine *m, char *name, int size)
{
    const json_t *there = json_object_get(file, "machine");
    const char *arch = json_string_value(json_object_get(there, "arch"));
    const char *simd = json_string_value(json_object_get(there, "simd"));
    const char *its_name = json_string_value(json_object_get(there, "name"));
    int cores = (int)json_integer_value(json_object_get(there, "cores"));
    if (!arch || !simd || !its_name || strcmp(arch, m->arch) != 0)
        return -1;
    json_t *here = machine_json(m);
    const char *simd_here = json_string_value(json_object_get(here, "simd"));
    int d = (strcmp(simd, simd_here) ? 1000 : 0) + abs(cores - m->cores);
    snprintf(name, (size_t)size, "%s", its_name);
    json_decref(here);
    return d;
}

/* The entry of the machine most like this one, of those that recorded the task. */
static bool nearest(const struct project *p, const struct machine *m, const char *task,
                    struct found *found)
{
    char *folder = hpc_printf("%s/reference", p->root), name[80];
    DIR *dir = opendir(folder);
    int best = -1;
    for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
        size_t length = strlen(e->d_name);
        struct found here;
        if (length < 6 || strcmp(e->d_name + length - 5, ".json"))
            continue;
        char *path = hpc_printf("%s/%s", folder, e->d_name);
        json_t *file = json_file(path, NULL);
        int d = distance(file, m, name, sizeof name);
        if (d >= 0 && (best < 0 || d < best) && find_entry(file, p->lab->name, task, &here)) {
            best = d;
            *found = here;
            snprintf(found->machine, sizeof found->machine, "%s", name);
        }
        json_decref(file);
        free(path);
    }
    if (dir)
        closedir(dir);
    free(folder);
    return best >= 0;
}

void reference_sources(const struct project *p, const struct lab_task *task, char hex[65])
{
    const char *const names[] = {task->baseline, task->reference};
    struct sha256 hash;
    char buffer[65536];
    sha256_start(&hash);
    for (int i = 0; i < 2; i++) {
        const struct variant *v = catalogue_find(p->catalogue, names[i]);
        char *path = v ? hpc_printf("%s/%s", p->root, v->file) : NULL;
        FILE *f = path ? fopen(path, "re") : NULL;
        for (size_t n; f && (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
            sha256_add(&hash, buffer, n);
        if (f)
            fclose(f);
        free(path);
    }
    sha256_end(&hash, hex);
}

char *reference_stale(const struct project *p, const struct lab_task *task, const struct machine *m)
{
    struct found found = {0};
    const struct variant *v = catalogue_find(p->catalogue, task->reference);
    char now[65];
    if (!own_entry(p, m, task->name, &found))
        return NULL;
    if (found.compiler[0] && strcmp(found.compiler, m->compiler) != 0)
        return hpc_printf("timed with %s", found.compiler);
    if (!found.sources[0] || !v || !v->at_hand) /* a release has no reference to compare */
        return NULL;
    reference_sources(p, task, now);
    return strcmp(now, found.sources)
               ? hpc_printf("%s or %s has changed since", task->baseline, task->reference)
               : NULL;
}

double reference_target(const struct project *p, const struct lab_task *task,
                        const struct machine *m, char *source, int source_size)
{
    struct found found = {0};
    if (task->target > 0) {
        snprintf(source, (size_t)source_size, "lab.ini");
        return task->target;
    }
    if (own_entry(p, m, task->name, &found)) {
        char *stale = reference_stale(p, task, m);
        text_fit(source, (size_t)source_size, "reference/%s.json%s%s", m->name,
                 stale ? ", stale: " : "", stale ? stale : "");
        free(stale);
        return score_target(found.ratio);
    }
    if (nearest(p, m, task->name, &found)) {
        /* Fewer threads than there: as much for each thread. More: no more than was reached there.
         */
        int threads = task_threads(task);
        if (found.threads > threads)
            found.ratio *= (double)threads / found.threads;
        snprintf(source, (size_t)source_size, "estimated from %s", found.machine);
        return score_target(found.ratio);
    }
    snprintf(source, (size_t)source_size, "none recorded: `make reference LAB=%s` comes first",
             p->lab->name);
    return 0;
}

int reference_missing(const struct project *p, const struct machine *m)
{
    int missing = 0;
    for (int i = 0; i < p->lab->n_tasks; i++) {
        char source[120];
        const struct lab_task *task = &p->lab->tasks[i];
        if (task->speed_case < 0 || task->target_copy > 0)
            continue;
        missing += reference_target(p, task, m, source, sizeof source) == 0;
    }
    return missing;
}

double reference_capacity(const struct project *p, const struct lab_task *task,
                          const struct machine *m)
{
    struct found found = {0};
    return own_entry(p, m, task->name, &found) ? found.capacity : 0;
}
