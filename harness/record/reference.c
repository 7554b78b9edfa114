/* Reading reference/NAME.json: the full-marks ratio of a task on this machine. */
#define _GNU_SOURCE
#include "harness/record/reference.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lab/case.h"
#include "harness/record/score.h"

struct found {
    double ratio, capacity;
    int threads;
    char machine[80];
};

/* What is recorded of LAB/TASK in one file; false where the file does not hold it. */
static bool read_entry(const char *path, const char *lab, const char *task, struct found *found)
{
    json_error_t json_err;
    json_t *root = json_load_file(path, 0, &json_err);
    char key[120];
    snprintf(key, sizeof key, "%s/%s", lab, task);
    json_t *entry = json_object_get(json_object_get(root, "tasks"), key);
    json_t *ratio = json_object_get(entry, "ratio");
    bool good = json_is_number(ratio) && json_number_value(ratio) > 0;
    if (good) {
        found->ratio = json_number_value(ratio);
        found->threads = (int)json_integer_value(json_object_get(entry, "threads"));
        found->capacity = json_number_value(json_object_get(entry, "capacity"));
    }
    json_decref(root);
    return good;
}

/* How unlike this machine the one of a file is; lower is nearer, negative: another architecture. */
static int distance(const char *path, const struct machine *m, char *name, int size)
{
    json_error_t json_err;
    json_t *root = json_load_file(path, 0, &json_err);
    json_t *there = json_object_get(root, "machine");
    const char *arch = json_string_value(json_object_get(there, "arch"));
    const char *simd = json_string_value(json_object_get(there, "simd"));
    const char *its_name = json_string_value(json_object_get(there, "name"));
    int cores = (int)json_integer_value(json_object_get(there, "cores"));
    int d = -1;
    if (arch && simd && its_name && !strcmp(arch, m->arch)) {
        json_t *here = machine_json(m);
        const char *simd_here = json_string_value(json_object_get(here, "simd"));
        d = (strcmp(simd, simd_here) ? 1000 : 0) + abs(cores - m->cores);
        snprintf(name, (size_t)size, "%s", its_name);
        json_decref(here);
    }
    json_decref(root);
    return d;
}

static bool nearest(const char *root, const struct machine *m, const char *lab, const char *task,
                    struct found *found)
{
    char folder[4096], path[4400], name[80];
    snprintf(folder, sizeof folder, "%s/reference", root);
    DIR *dir = opendir(folder);
    int best = -1;
    for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
        size_t length = strlen(e->d_name);
        struct found here;
        if (length < 6 || strcmp(e->d_name + length - 5, ".json"))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        int d = distance(path, m, name, sizeof name);
        if (d < 0 || (best >= 0 && d >= best) || !read_entry(path, lab, task, &here))
            continue;
        best = d;
        *found = here;
        snprintf(found->machine, sizeof found->machine, "%s", name);
    }
    if (dir)
        closedir(dir);
    return best >= 0;
}

double reference_target(const char *root, const struct lab *lab, const struct lab_task *task,
                        const struct machine *m, char *source, int source_size)
{
    struct found found = {0};
    char path[4096];
    if (task->target > 0) {
        snprintf(source, (size_t)source_size, "lab.ini");
        return task->target;
    }
    snprintf(path, sizeof path, "%s/reference/%s.json", root, m->name);
    if (read_entry(path, lab->name, task->name, &found)) {
        snprintf(source, (size_t)source_size, "reference/%s.json", m->name);
        return score_target(found.ratio);
    }
    if (nearest(root, m, lab->name, task->name, &found)) {
        /* Fewer threads than there: as much for each thread. More: no more than was reached there.
         */
        int threads = task_threads(task);
        if (found.threads > threads)
            found.ratio *= (double)threads / found.threads;
        snprintf(source, (size_t)source_size, "estimated from %s", found.machine);
        return score_target(found.ratio);
    }
    snprintf(source, (size_t)source_size, "none recorded: `make reference LAB=%s` comes first",
             lab->name);
    return 0;
}

int reference_missing(const char *root, const struct lab *lab, const struct machine *m)
{
    int missing = 0;
    for (int i = 0; i < lab->n_tasks; i++) {
        char source[120];
        const struct lab_task *task = &lab->tasks[i];
        if (task->speed_case < 0 || task->target_copy > 0)
            continue;
        missing += reference_target(root, lab, task, m, source, sizeof source) == 0;
    }
    return missing;
}

double reference_capacity(const char *root, const struct lab *lab, const struct lab_task *task,
                          const struct machine *m)
{
    struct found found = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s/reference/%s.json", root, m->name);
    return read_entry(path, lab->name, task->name, &found) ? found.capacity : 0;
}
