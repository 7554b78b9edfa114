/* hpclab build: compiles the variants of a lab, each by itself; or objects of all variants. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/trial/objects.h"
#include "harness/trial/trial.h"
#include "harness/lab/case.h"
#include "common/interrupt.h"
#include "common/text.h"
#include "harness/lab/starters.h"
#include "common/ui.h"
#include "harness/lab/selection.h"
#include "harness/verbs/verbs.h"

struct options {
    const char *lab, *implementation, *device, *objects, *except, *suffix, *flags;
    bool force, bare;
    const char *const *names; /* of objects */
    int n_names;
};

#define AT(member) .at = offsetof(struct options, member)
static const struct option_row rows[] = {
    {"impl", "student|reference", "whose files; the student's by default, always", OPTION_CHOICE,
     AT(implementation)},
    {"device", "auto|cpu|cuda",
     "of tasks in CUDA, kept: a GPU, by nvcc; the CPU device; auto, the GPU where there is one. Of "
     "objects cpu or cuda",
     OPTION_CHOICE, AT(device)},
    {"force", NULL, "compile what is fresh too", OPTION_SWITCH, AT(force)},
    {"objects", "FOLDER",
     "for programs of ours: objects of all variants of an operation's folder, or of those named, "
     "their table and a list of their paths, in build/DEVICE/variants/FOLDER/",
     OPTION_TEXT, AT(objects)},
    {"except", "PATTERN", "objects but those with such names, as in the shell: 'cudnn_*'",
     OPTION_TEXT, AT(except)},
    {"suffix", "S", "of the objects' names, for another build of the same: serial_O0", OPTION_TEXT,
     AT(suffix)},
    {"flags", "F", "behind the objects' own flags, such as -gencode=.. of another GPU", OPTION_TEXT,
     AT(flags)},
    {"no-flags", NULL, "objects without their own flags", OPTION_SWITCH, AT(bare)},
    {0},
};
const struct option_table build_options = {
    .command = "./hpclab build",
    .words = "LAB | NAME ..",
    .title = "compile a lab's tasks, each by itself",
    .about = "Lays out the starter files that are missing, selects the lab for ./grade and "
             "compiles its tasks, each by itself. Ends with 0 though tasks fail to compile.",
    .examples = "./hpclab build lab3\n./hpclab build lab3 --impl reference\n"
                "./hpclab build --objects mlp serial --suffix _O0 --no-flags --flags -O0",
    .most = VARIANTS_MAX,
    .expected = "one lab, such as lab3, or --objects FOLDER",
    .rows = rows,
};

/* 1: go on; 0: help was printed; -1: err. */
static int read_options(int argc, char **argv, struct options *o, struct hpc_error *err)
{
    int go = options_read(&build_options, &argc, &argv, o, err);
    if (go <= 0)
        return go;
    o->names = (const char *const *)argv;
    o->n_names = argc;
    if (o->objects)
        return 1;
    if (argc == 0)
        return hpc_fail(err, "build: expected %s", build_options.expected), -1;
    if (argc > 1)
        return hpc_fail(err, "build: one lab at a time, found also '%s'", argv[1]), -1;
    o->lab = argv[0];
    return 1;
}

/* The device of before, with this command's words over it. Whose solutions is never kept: a plain
 * `make labN` behind one of the reference is the student's again. */
static bool select_lab(struct project *p, const struct options *o, struct hpc_error *err)
{
    struct selection *s = &p->selection;
    if (!project_select(p, o->lab, err))
        return false;
    snprintf(s->implementation, sizeof s->implementation, "%s",
             o->implementation ? o->implementation : "student");
    enum hpc_place device;
    const char *word = o->device ? o->device : s->device;
    if (!lab_device(p->lab, word, &device, err))
        return false;
    if (o->device)
        snprintf(s->device, sizeof s->device, "%s", o->device);
    return true;
}

/* Remove what makes a task's runners fresh. */
static void forget(const char *root, const struct lab *lab, const struct lab_task *task,
                   const char *implementation)
{
    static const char *const names[] = {"runner",       "runner-address", "runner-threads",
                                        "runner-check", "runner-debug",   "object.o"};
    static const enum hpc_place devices[] = {DEVICE_CPU, DEVICE_CUDA};
    for (size_t i = 0; i < sizeof names / sizeof *names * 2; i++) {
        char *path = hpc_printf("%s/build/%s/%s/%s/%s/%s", root, device_name(devices[i % 2]),
                                lab->name, implementation, task->name, names[i / 2]);
        remove(path);
        free(path);
    }
}

/* Below a task that compiles: what the compiler warned of first in the student's own file, which
 * is no failure. */
static void say_warning(const struct project *p, const struct lab_task *task,
                        const struct build_result *built)
{
    char file[200], text[300];
    if (strcmp(p->selection.implementation, "student") == 0 &&
        !starter_untouched(p->root, p->lab->name, task->file) &&
        text_fit(file, sizeof file, "labs/%s/%s", p->lab->name, task->file) &&
        build_warning(built, file, text, sizeof text))
        printf("    the compiler warns: %s\n", text);
}

/* One line a task, and one for a warning; false where the machine, not the task, failed. *broken
 * becomes the first task whose own file failed. */
static bool build_one(const struct project *p, const struct lab_task *task, const struct options *o,
                      enum hpc_place device, const struct lab_task **broken)
{
    const char *implementation = p->selection.implementation;
    char why[200];
    if (!needs_met(task->needs, why, sizeof why)) {
        printf("  %s: pending, it %s\n", task->name, why);
        return true;
    }
    if (o->force)
        forget(p->root, p->lab, task, implementation);
    ui_progress("building %s", task->name);
    struct trial *trial = trial_open(p, task, implementation);
    const struct build_result *r = trial_runner(trial, build_plain(device));
    ui_progress_end();
    const char *where = r->device == DEVICE_CUDA  ? " for the GPU"
                        : r->device == DEVICE_CPU ? " for the CPU device"
                                                  : "";
    if (r->outcome.verdict == VERDICT_PASS) {
        printf("  %s compiles%s%s\n", task->name, where, r->built ? "" : " (fresh)");
        say_warning(p, task, r);
    } else {
        printf("  %s%s%s: %s: %s\n", ui_style(UI_BAD), task->name, ui_style(UI_PLAIN),
               verdict_names[r->outcome.verdict], r->outcome.reason);
    }
    fflush(stdout);
    bool good = r->outcome.verdict != VERDICT_ENVIRONMENT;
    if (good && r->outcome.verdict != VERDICT_PASS && !*broken)
        *broken = task;
    trial_close(trial);
    return good;
}

/* The first file that does not compile; else the first that is as it was handed out, then how it is
 * graded. */
static void say_next(const char *root, const struct lab *lab, const char *implementation,
                     const struct lab_task *broken)
{
    const char *next = NULL;
    const bool own = strcmp(implementation, "student") == 0;
    for (int i = 0; i < lab->n_tasks && !next && own; i++)
        if (starter_untouched(root, lab->name, lab->tasks[i].file))
            next = lab->tasks[i].file;
    if (broken && own)
        printf("next: mend labs/%s/%s, then make %s\n", lab->name, broken->file, lab->name);
    else if (next)
        printf("next: edit labs/%s/%s, then ./grade\n", lab->name, next);
    else
        printf("next: ./grade\n");
}

static int build_lab(const struct project *p, const struct options *o)
{
    const struct selection *s = &p->selection;
    const struct lab *lab = p->lab;
    const struct lab_task *broken = NULL;
    int failed = 0, variants = 0;
    struct hpc_error err;
    enum hpc_place device;
    if (!lab_device(lab, s->device, &device, &err))
        return hpc_report(&err);
    printf("%s, %s: %s\n", lab->name, s->implementation, lab->title);
    for (int i = 0; i < lab->n_tasks && !hpc_interrupted(); i++) {
        const struct lab_task *task = &lab->tasks[i];
        if (task->kind == TASK_ANSWERS) {
            printf("  %s: answers go into labs/%s/%s\n", task->name, lab->name, task->file);
            continue;
        }
        variants++;
        failed += !build_one(p, task, o, device, &broken);
    }
    if (hpc_interrupted())
        return 130;
    trial_editor_file(p);
    say_reference_missing(p);
    if (variants > 0 && failed == variants) {
        fprintf(stderr,
                "hpclab: no task of %s could be built here; expected what ./hpclab doctor "
                "lists\n",
                lab->name);
        return HPC_EXIT_ENVIRONMENT;
    }
    say_next(p->root, lab, s->implementation, broken);
    return HPC_EXIT_OK;
}

static bool build_all_objects(struct project *p, const struct options *o, struct hpc_error *err)
{
    bool cuda = o->device && strcmp(o->device, "cuda") == 0;
    if (o->device && !cuda && strcmp(o->device, "cpu") != 0)
        return hpc_fail(err, "--objects .. --device %.40s: expected cpu or cuda", o->device);
    if (cuda && !device_nvcc()) /* they may run elsewhere: a GPU is not asked for */
        return hpc_fail_env(err, "--device cuda: no nvcc here, expected one in PATH, CUDA_HOME or "
                                 "/usr/local/cuda");
    const struct objects what = {.folder = o->objects,
                                 .names = o->names,
                                 .n_names = o->n_names,
                                 .except = o->except,
                                 .suffix = o->suffix,
                                 .flags = o->flags,
                                 .bare = o->bare,
                                 .device = cuda ? DEVICE_CUDA : DEVICE_CPU};
    return build_objects(p, &what, err);
}

int verb_build(struct project *p, int argc, char **argv)
{
    struct options o = {0};
    struct hpc_error err;
    int go = read_options(argc, argv, &o, &err);
    if (go <= 0)
        return go ? hpc_report(&err) : HPC_EXIT_OK;
    if (o.objects) {
        int status = build_all_objects(p, &o, &err) ? HPC_EXIT_OK : hpc_report(&err);
        return hpc_interrupted() ? 130 : status;
    }
    bool good = select_lab(p, &o, &err) &&
                (strcmp(p->selection.implementation, "student") != 0 ||
                 lab_layout_starters(p->root, p->lab->name, &err)) &&
                selection_write(p->root, &p->selection, &err);
    return good ? build_lab(p, &o) : hpc_report(&err);
}
