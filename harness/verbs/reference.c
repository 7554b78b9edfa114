/* hpclab reference: times baseline, reference and fastest variant of every task here, and writes
 * reference/MACHINE.json after each task. A case whose draws all break the one-ulp rule is refused.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <time.h>

#include "common/json.h"
#include "common/random.h"
#include "common/version.h"
#include "harness/lab/case.h"
#include "harness/course/course.h"
#include "harness/machine/device.h"
#include "common/interrupt.h"
#include "harness/trial/trial.h"
#include "harness/record/reference.h"
#include "harness/record/score.h"
#include "common/scratch.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/verbs/verbs.h"

#define PAIRS 15
#define MOST  64 /* labs of one command */

static const struct option_row rows[] = {{0}};
const struct option_table reference_options = {
    .command = "./hpclab reference",
    .words = "[LAB ..] | diff A B",
    .title = "time baseline and reference of every task here",
    .about = "Times baseline, reference and fastest variant of every task on this machine and "
             "writes reference/MACHINE.json, from which grading takes its targets. All labs by "
             "default. Run it on a quiet machine. diff compares two files of reference/, by "
             "their names there or paths; a * stands where the intervals of both do not meet.",
    .ending = "diff ends with 0 where no task has one, else with 1.",
    .examples = "./hpclab reference lab3\n./hpclab reference diff amd-epyc-2c old.json",
    .most = MOST,
    .expected = "at most 64 labs",
    .rows = rows,
};

struct timing {
    const struct project *project;
    const struct lab_task *task;
    uint64_t seed;
};

/* `variant` against the task's baseline. */
static bool time_variant(struct timing *t, const char *variant, struct measure_result *m,
                         struct hpc_error *err)
{
    struct timing_spec spec = {.label = variant,
                               .seed = t->seed,
                               .pairs = PAIRS,
                               .trusted = true,
                               /* a noisy timing replaces no earlier, quieter one */
                               .capacity = reference_capacity(t->project, t->task, machine_here())};
    struct trial *trial = trial_open(t->project, t->task, variant);
    trial_timing(trial, &spec, m);
    trial_close(trial);
    if (m->outcome.verdict != VERDICT_PASS)
        return hpc_fail_env(err, "%s: %s: %s", variant, verdict_names[m->outcome.verdict],
                            m->outcome.reason);
    return !m->outcome.reason[0] ||
           hpc_fail_env(err, "%s: not recorded, too noisy: %s", variant, m->outcome.reason);
}

static void set_timing(json_t *entry, const char *prefix, const struct measure_result *m)
{
    char key[40];
    snprintf(key, sizeof key, "%sratio", prefix);
    json_object_set_new(entry, key, json_real(m->speed.ratio.value));
    snprintf(key, sizeof key, "%sci_low", prefix);
    json_object_set_new(entry, key, json_real(m->speed.ratio.low));
    snprintf(key, sizeof key, "%sci_high", prefix);
    json_object_set_new(entry, key, json_real(m->speed.ratio.high));
    snprintf(key, sizeof key, "%sseconds", prefix);
    json_object_set_new(entry, key, json_real(m->speed.student_s));
    snprintf(key, sizeof key, "%snoise", prefix);
    json_object_set_new(entry, key, json_real(m->noise));
}

static void print_line(const struct timing *t, const char *what, const struct measure_result *m)
{
    char base[16], student[16];
    ui_progress_end();
    printf("  %-28s %-24s %10s  %10s  %6.2fx [%.2f, %.2f] noise %.1f%%\n", t->task->name, what,
           ui_seconds(m->speed.baseline_s, base, sizeof base),
           ui_seconds(m->speed.student_s, student, sizeof student), m->speed.ratio.value,
           m->speed.ratio.low, m->speed.ratio.high, 100 * m->noise);
    fflush(stdout);
}

/* One task into tasks["LAB/TASK"]. */
static bool time_task(struct timing *t, json_t *tasks, struct hpc_error *err)
{
    const struct lab_case *c = &t->project->lab->cases[t->task->speed_case];
    int threads = task_threads(t->task);
    struct measure_result *m = hpc_calloc(1, sizeof *m);
    char key[120];
    if (!time_variant(t, t->task->reference, m, err)) {
        free(m);
        return false;
    }
    json_t *entry = json_object();
    json_object_set_new(entry, "case", json_string(c->name));
    json_object_set_new(entry, "threads", json_integer(threads));
    json_object_set_new(entry, "baseline", json_string(t->task->baseline));
    json_object_set_new(entry, "baseline_seconds", json_real(m->speed.baseline_s));
    json_object_set_new(entry, "pairs", json_integer(m->speed.pairs));
    json_object_set_new(entry, "reference", json_string(t->task->reference));
    json_object_set_new(entry, "compiler", json_string(machine_here()->compiler));
    char hash[65];
    reference_sources(t->project, t->task, hash);
    json_object_set_new(entry, "sources", json_string(hash));
    set_timing(entry, "", m);
    double known = reference_capacity(t->project, t->task, machine_here());
    if (m->capacity > 0) /* the best that was ever seen here */
        json_object_set_new(entry, "capacity", json_real(fmax(m->capacity, known)));
    print_line(t, t->task->reference, m);
    if (SCORE_REFERENCE_SHARE * m->speed.ratio.value < LAB_LEAST_TARGET)
        printf("  %s: %.2fx is too little for speed points: full marks would need %.2fx\n",
               t->task->name, m->speed.ratio.value, LAB_LEAST_TARGET);
    if (t->task->fastest[0] && time_variant(t, t->task->fastest, m, err)) {
        json_object_set_new(entry, "record", json_string(t->task->fastest));
        set_timing(entry, "record_", m);
        print_line(t, t->task->fastest, m);
    } else if (t->task->fastest[0]) {
        printf("  %s: fastest not timed: %s\n", t->task->name, err->text);
    }
    snprintf(key, sizeof key, "%s/%s", t->project->lab->name, t->task->name);
    json_object_set_new(tasks, key, entry);
    free(m);
    return true;
}

static bool write_file(const char *root, json_t *file, struct hpc_error *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/reference", root);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/reference/%s.json", root, machine_here()->name);
    char *temporary = scratch_beside(path);
    bool good = json_dump_file(file, temporary,
                               JSON_INDENT(2) | JSON_SORT_KEYS | JSON_REAL_PRECISION(6)) == 0 &&
                rename(temporary, path) == 0;
    if (!good)
        unlink(temporary);
    free(temporary);
    return good || hpc_fail_env(err, "cannot write %s", path);
}

/* What was recorded before, so that one lab can be timed anew; where nothing was, an empty file.
 * NULL where a file can't be read, which would be lost. */
static json_t *open_file(const char *root, struct hpc_error *err)
{
    char path[4096], date[32];
    snprintf(path, sizeof path, "%s/reference/%s.json", root, machine_here()->name);
    json_t *file = json_file(path, err);
    if (!file && errno == ENOENT)
        file = json_object();
    if (file && !json_is_object(file)) {
        json_decref(file);
        file = NULL;
        hpc_fail(err, "%s: expected an object, with the timings of this machine", path);
    }
    if (!file)
        return NULL;
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    json_object_set_new(file, "schema", json_integer(1));
    json_object_set_new(file, "version", json_string(HPC_VERSION));
    json_object_set_new(file, "date", json_string(date));
    json_object_set_new(file, "command", json_string("./hpclab reference"));
    json_object_set_new(file, "machine", machine_json(machine_here()));
    if (!json_is_object(json_object_get(file, "tasks")))
        json_object_set_new(file, "tasks", json_object());
    return file;
}

/* Every case has draws that keep the one-ulp rule, or a line says which has none. */
static bool admit_cases(const struct lab *lab, uint64_t seed, struct hpc_error *err)
{
    struct hpc_error why;
    struct ready_case ready;
    for (int i = 0; i < lab->n_cases; i++)
        if (!case_draw(&lab->cases[i], seed, 2, &ready, &why))
            return hpc_fail(err, "labs/%s: %.*s", lab->name, (int)sizeof why.text - 80, why.text);
    return true;
}

/* Whether a task is timed here; else a line says why not, where there is something to say. */
static bool is_timed(const struct lab_task *task)
{
    char why[200];
    if (task->speed_case < 0)
        return false;
    if (task->target_copy > 0)
        printf("  %s: no reference to record: grading times a copy of the same bytes beside it\n",
               task->name);
    else if (lab_task_cuda(task) && !(machine_here()->gpu && device_nvcc()))
        printf("  %s: not timed: no GPU with nvcc here\n", task->name);
    else if (!needs_met(task->needs, why, sizeof why))
        printf("  %s: not timed: %s\n", task->name, why);
    else
        return true;
    return false;
}

/* How many tasks of the labs have a case for speed: the parts of the progress. What can't be read
 * is told of when it is timed. */
static int count_tasks(struct project *p, char *const *names, int n)
{
    struct lab *lab = hpc_calloc(1, sizeof *lab);
    struct hpc_error err;
    const bool known = project_catalogue(p, &err);
    int tasks = 0;
    for (int i = 0; known && i < n; i++) {
        const bool there = lab_load(p->root, p->catalogue, names[i], lab, &err);
        for (int k = 0; there && k < lab->n_tasks; k++)
            tasks += lab->tasks[k].speed_case >= 0;
    }
    free(lab);
    return tasks;
}

static int time_lab(struct project *p, const char *name, json_t *file)
{
    struct hpc_error err;
    int status = HPC_EXIT_OK;
    uint64_t seed = hpc_random_seed();
    if (!project_lab(p, name, &err) || !admit_cases(p->lab, seed, &err))
        return hpc_report(&err);
    const struct lab *lab = p->lab;
    printf("%s %s\n", lab->name, lab->title);
    for (int i = 0; i < lab->n_tasks && !hpc_interrupted(); i++) {
        struct timing t = {.project = p, .task = &lab->tasks[i], .seed = seed};
        char text[200];
        if (is_timed(t.task)) {
            text_fit(text, sizeof text, "%s/%s", lab->name, t.task->name);
            ui_step(text);
            if (!time_task(&t, json_object_get(file, "tasks"), &err) ||
                !write_file(p->root, file, &err))
                status = hpc_report(&err);
            ui_progress_end();
        }
        if (t.task->speed_case >= 0)
            ui_progress_part();
    }
    return status;
}

void say_reference_missing(const struct project *p)
{
    if (reference_missing(p, machine_here()) > 0)
        printf("  no reference is timed for %s on such a machine: `make reference LAB=%s` comes "
               "first, points for speed wait until then\n",
               p->lab->name, p->lab->name);
}

int verb_reference(struct project *p, int argc, char **argv)
{
    char all[MOST][LAB_NAME], *every[MOST];
    int status = HPC_EXIT_OK;
    struct hpc_error err;
    int go = options_read(&reference_options, &argc, &argv, NULL, &err);
    if (go <= 0)
        return go ? hpc_report(&err) : HPC_EXIT_OK;
    if (argc == 3 && strcmp(argv[0], "diff") == 0)
        return verb_reference_diff(p, argv[1], argv[2]);
    if (argc > 0 && strcmp(argv[0], "diff") == 0) {
        hpc_fail(&err, "reference diff: expected two files of reference/, found %d", argc - 1);
        return hpc_report(&err);
    }
    char *const *names = argc > 0 ? argv : every;
    const int n = argc > 0 ? argc : lab_names(p->root, all, MOST);
    for (int i = 0; argc == 0 && i < n; i++)
        every[i] = all[i];
    for (int i = 0; i < argc; i++) /* before hours of timings, not behind them */
        status = project_lab(p, names[i], &err) ? status : hpc_report(&err);
    json_t *file = status ? NULL : open_file(p->root, &err);
    if (!file)
        return status ? status : hpc_report(&err);
    ui_progress_parts(count_tasks(p, names, n));
    printf("%s, %d cores\n", machine_here()->cpu, machine_here()->cores);
    printf("  %-28s %-24s %10s  %10s  ratio\n", "task", "variant", "baseline", "variant");
    for (int i = 0; i < n && !hpc_interrupted(); i++) {
        int s = time_lab(p, names[i], file);
        if (s)
            status = s;
    }
    json_decref(file);
    return status;
}
