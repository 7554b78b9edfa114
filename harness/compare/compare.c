/* hpclab compare: builds both versions in the jail, sees that they are right, times them in turn as
 * a grading does, and says what changed besides the time. */
#define _GNU_SOURCE
#include "harness/compare/compare.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/nearest.h"
#include "common/random.h"
#include "common/scratch.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/compare/internal.h"

#define PAIRS       15
#define QUICK_PAIRS 5

struct values {
    const char *task, *name;
    uint64_t seed;
    bool quick, plain;
};
#define AT(member) .at = offsetof(struct values, member)
static const struct option_row rows[] = {
    {"task", "LAB/TASK", "whose file both are; else found by where A or B lies", OPTION_TEXT,
     AT(task)},
    {"case", "CASE", "of the lab, to time; else that which the task is timed on", OPTION_TEXT,
     AT(name)},
    {"seed", "N", "the same inputs again", OPTION_SEED, AT(seed)},
    {"quick", NULL, "fewer pairs", OPTION_SWITCH, AT(quick)},
    {"plain", NULL, "no colour, no progress", OPTION_SWITCH, AT(plain)},
    {0},
};
const struct option_table compare_options = {
    .command = "./hpclab compare",
    .words = "A B",
    .title = "two versions of a file of yours, timed in turn",
    .about = "Two versions of a task's file, A and B: both are built and run as a grading does, in "
             "the jail, on the same inputs, in pairs of blocks in turn. It prints how many times "
             "as long A takes as B, with an interval, which is faster where that is beyond the "
             "noise, and what else differs: where the time goes, or, of a .cu, the traffic that "
             "the CPU device counts.",
    .ending = "It ends 0 when both are right, 1 when one is not or does not compile.",
    .examples = "./hpclab compare old.c labs/lab1/flat.c\n"
                "./hpclab compare one.cu two.cu --task lab6/tiled_halo",
    .least = 2,
    .most = 2,
    .expected = "two files, such as old.c labs/lab1/flat.c",
    .rows = rows,
};

struct comparison {
    struct project *project;
    struct values options;
    struct lab_task task; /* a copy, whose timing is against the other version */
    const struct lab_case *c;
    enum hpc_place device;
    char *scratch;
    struct side side[2];
};

static bool set_task(struct comparison *k, const char *lab, const char *name, bool by_file,
                     struct hpc_error *err)
{
    if (!project_lab(k->project, lab, err))
        return false;
    const struct lab *l = k->project->lab;
    for (int i = 0; i < l->n_tasks; i++)
        if (l->tasks[i].kind == TASK_VARIANT &&
            !strcmp(by_file ? l->tasks[i].file : l->tasks[i].name, name)) {
            k->task = l->tasks[i];
            return true;
        }
    char *hint = by_file ? hpc_strdup("") : lab_task_hint(l, name);
    hpc_fail(err, "compare: %s has no task %s%s%s", lab, by_file ? "with the file " : "", name,
             hint);
    free(hint);
    return false;
}

/* By --task; else by a path that holds labs/LAB/FILE; 1: found, 0: no such path, -1: *err. */
static int task_of_path(struct comparison *k, const char *path, struct hpc_error *err)
{
    char *whole = realpath(path, NULL), *labs = hpc_printf("%s/labs/", k->project->root);
    char lab[LAB_NAME], file[LAB_NAME];
    int found = 0;
    if (whole && !strncmp(whole, labs, strlen(labs)) &&
        sscanf(whole + strlen(labs), "%39[^/]/%39[^/]", lab, file) == 2 &&
        strlen(whole) == strlen(labs) + strlen(lab) + 1 + strlen(file))
        found = set_task(k, lab, file, true, err) ? 1 : -1;
    free(labs);
    free(whole);
    return found;
}

static bool find_task(struct comparison *k, struct hpc_error *err)
{
    const char *word = k->options.task, *slash = word ? strchr(word, '/') : NULL;
    if (word && !slash)
        return hpc_fail(err, "--task %s: expected LAB/TASK, such as lab1/flat", word);
    if (word) {
        char *lab = hpc_printf("%.*s", (int)(slash - word), word);
        const bool good = set_task(k, lab, slash + 1, false, err);
        free(lab);
        return good;
    }
    for (int i = 1; i >= 0; i--) {
        const int found = task_of_path(k, k->side[i].path, err);
        if (found)
            return found > 0;
    }
    return hpc_fail(err,
                    "compare: neither %s nor %s lies in labs/: whose are they? Expected --task "
                    "LAB/TASK",
                    k->side[0].path, k->side[1].path);
}

static bool find_case(struct comparison *k, struct hpc_error *err)
{
    const struct lab *lab = k->project->lab;
    const char *names[LAB_MAX_CASES];
    int n = 0;
    for (int i = 0; i < lab->n_cases; i++) {
        if (lab->cases[i].op != k->task.op)
            continue;
        names[n++] = lab->cases[i].name;
        if (k->options.name && !strcmp(lab->cases[i].name, k->options.name))
            k->c = &lab->cases[i];
    }
    if (k->options.name && !k->c) {
        char *hint = nearest_hint(k->options.name, names, n);
        hpc_fail(err, "--case %s: %s has no such case of %s%s", k->options.name, lab->name,
                 k->task.name, hint);
        free(hint);
    } else if (!k->options.name) {
        const int timed = k->device == DEVICE_CPU ? k->task.traffic_case : k->task.speed_case;
        k->c = &lab->cases[timed >= 0 ? timed : k->task.cases[0]];
    }
    if (k->c)
        k->task.speed_case = (int)(k->c - lab->cases);
    k->task.baseline_case = -1;
    k->task.target_copy = 0; /* the other version is what it is timed against */
    return k->c != NULL;
}

/* Built and right; else a line on stdout, and false. */
static bool side_good(struct comparison *k, struct side *s)
{
    struct outcome o = {.verdict = VERDICT_PASS};
    const enum build_kind kind = build_plain(k->device);
    ui_progress("building %s", s->path);
    const bool good = side_build(s, k->scratch, kind, &o) &&
                      trial_case(s->trial, kind, k->c, k->options.seed, &o);
    ui_progress_end();
    hpc_harmless(o.reason);
    const bool named = strncmp(o.reason, s->path, strlen(s->path)) == 0;
    printf("  %c  %s%s%s  %s%s%s\n", s->letter, ui_style(good ? UI_GOOD : UI_BAD),
           good ? ui_tick() : verdict_names[o.verdict], ui_style(UI_PLAIN), named ? "" : s->path,
           o.reason[0] && !named ? ": " : "", o.reason);
    if (o.verdict == VERDICT_WRONG)
        printf("     why: as labs/%s/%s, ./hpclab grade %s --only %s looks for the cause\n",
               k->project->lab->name, k->task.file, k->project->lab->name, k->task.name);
    return good;
}

static void say_ratio(const struct measure_result *m)
{
    const struct stats_interval *r = &m->speed.ratio;
    const char faster = faster_of(r, m->noise);
    char a[16], b[16];
    printf("  time  A %s, B %s a call, medians of %d pairs\n",
           ui_seconds(m->speed.baseline_s, a, sizeof a),
           ui_seconds(m->speed.student_s, b, sizeof b), m->speed.pairs);
    printf("  %sA takes %.3f times as long as B  [%.3f, %.3f]%s: ", ui_style(UI_BOLD), r->value,
           r->low, r->high, ui_style(UI_PLAIN));
    if (faster)
        printf("%c %s faster\n", faster, m->outcome.reason[0] ? "seems" : "is");
    else
        printf("neither is seen to be faster\n");
    printf("  that is %s the noise: A against itself differs by %.1f%%\n",
           faster ? "beyond" : "within", 100 * m->noise);
}

/* In pairs of blocks, as a grading; false where a version failed meanwhile. */
static bool time_both(struct comparison *k)
{
    struct trial *b = k->side[1].trial;
    const enum build_kind kind = lab_task_cuda(&k->task) ? BUILD_CUDA : BUILD_PLAIN;
    b->baseline = k->side[0].trial->built[kind];
    b->tried_baseline = true;
    const struct timing_spec timing = {.label = "A and B",
                                       .seed = k->options.seed + 1,
                                       .pairs = k->options.quick ? QUICK_PAIRS : PAIRS,
                                       .quick = k->options.quick,
                                       .trusted =
                                           true, /* noise is a remark: no points hang on it */
                                       .c = k->c};
    struct measure_result *m = hpc_calloc(1, sizeof *m);
    trial_timing(b, &timing, m);
    const bool good = m->speed.measured;
    hpc_harmless(m->outcome.reason);
    if (good)
        say_ratio(m);
    if (m->outcome.reason[0])
        printf("  %s%s%s: %s\n", ui_style(UI_WARN),
               m->outcome.verdict == VERDICT_PASS ? "a noisy machine (A is the baseline)"
                                                  : verdict_names[m->outcome.verdict],
               ui_style(UI_PLAIN), m->outcome.reason);
    free(m);
    return good;
}

/* What the CPU device counts of both. */
static bool count_both(struct comparison *k)
{
    const int at = k->task.traffic_case;
    const struct lab_case *c = k->options.name || at < 0 ? k->c : &k->project->lab->cases[at];
    for (int i = 0; i < 2; i++) {
        struct outcome o = {.verdict = VERDICT_PASS};
        struct side *s = &k->side[i];
        ui_progress("counting %s's traffic", s->path);
        const bool good = side_build(s, k->scratch, BUILD_CHECK, &o) &&
                          trial_traffic(s->trial, c, k->options.seed, &s->traffic, &o);
        ui_progress_end();
        hpc_harmless(o.reason);
        if (!good) {
            printf("  traffic of %c is not counted: %s\n", s->letter, o.reason);
            return false;
        }
    }
    print_traffic(k->side);
    return true;
}

static bool compare(struct comparison *k)
{
    const bool cuda = lab_task_cuda(&k->task);
    printf("%s/%s, case %s, seed %llu\n", k->project->lab->name, k->task.name, k->c->name,
           (unsigned long long)k->options.seed);
    bool good = side_good(k, &k->side[0]);
    good = side_good(k, &k->side[1]) && good;
    if (good && k->device == DEVICE_CPU)
        printf("  times  of the CPU device say nothing about a GPU: none are taken\n");
    else
        good = good && time_both(k);
    if (good && cuda)
        return count_both(k);
    for (int i = 0; good && i < 2; i++) {
        ui_progress("looking where %s spends its time", k->side[i].path);
        struct outcome o;
        k->side[i].profiled =
            trial_profile(k->side[i].trial, k->options.seed + 1, &k->side[i].profile, &o);
        ui_progress_end();
    }
    if (good)
        print_profiles(k->side, k->side[0].trial->threads);
    return good;
}

/* The exit status. */
static int compare_in_scratch(struct comparison *k)
{
    k->scratch = scratch_name(k->project->root, "compare");
    for (int i = 0; i < 2; i++)
        k->side[i].trial = trial_open(k->project, &k->task, "student");
    const bool good = compare(k);
    for (int i = 0; i < 2; i++)
        trial_close(k->side[i].trial);
    folder_remove(k->scratch);
    free(k->scratch);
    return good ? HPC_EXIT_OK : HPC_EXIT_BELOW;
}

static bool find_all(struct comparison *k, struct hpc_error *err)
{
    if (!find_task(k, err) || !lab_device(k->project->lab, "auto", &k->device, err))
        return false;
    if (!lab_task_cuda(&k->task))
        k->device = DEVICE_HOST;
    return side_fits(&k->side[0], &k->task, err) && side_fits(&k->side[1], &k->task, err) &&
           find_case(k, err);
}

int verb_compare(struct project *p, int argc, char **argv)
{
    struct hpc_error err;
    struct comparison k = {.project = p, .options.seed = hpc_random_seed()};
    const int go = options_read(&compare_options, &argc, &argv, &k.options, &err);
    if (go <= 0)
        return go ? hpc_report(&err) : HPC_EXIT_OK;
    ui_init(k.options.plain);
    for (int i = 0; i < 2; i++)
        k.side[i] = (struct side){.path = argv[i], .letter = (char)('A' + i)};
    return find_all(&k, &err) ? compare_in_scratch(&k) : hpc_report(&err);
}
