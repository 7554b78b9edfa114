/* hpclab build: compiles the variants of a lab, each by itself; or objects of all variants. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/trial/objects.h"
#include "harness/trial/trial.h"
#include "harness/lab/case.h"
#include "common/interrupt.h"
#include "harness/lab/starters.h"
#include "common/ui.h"
#include "harness/lab/selection.h"
#include "harness/verbs/verbs.h"

static const char usage[] =
    "usage: hpclab build LAB [--impl student|reference] [--device auto|cpu|cuda] [--force]\n"
    "       hpclab build --objects FOLDER [NAME ..] [--except PATTERN] [--suffix S] [--flags F]\n"
    "                    [--device cpu|cuda]\n"
    "Lays out the starter files that are missing, selects the lab for ./grade and compiles its\n"
    "tasks, each by itself: the student's, where --impl does not say reference. --force compiles\n"
    "what is fresh too. Ends with 0 though tasks fail to compile.\n"
    "  --device WHICH     of tasks in CUDA, kept too: cuda, a GPU, by nvcc; cpu, the CPU device;\n"
    "                     auto, the GPU where there is one\n"
    "  --objects FOLDER   objects of all variants of an operation's folder, or of those that are\n"
    "                     named, their table and a list of their paths, in\n"
    "                     build/DEVICE/variants/FOLDER/, for programs of ours\n"
    "  --except PATTERN   but those with such names, as in the shell: 'cudnn_*'\n"
    "  --suffix S         of their names, for another build of the same: serial_O0\n"
    "  --flags F          behind the variants' own, such as -gencode=.. of another GPU\n"
    "  --no-flags         without the variants' own\n"
    "Examples: ./hpclab build lab3          ./hpclab build lab3 --impl reference\n";

struct options {
    const char *lab, *implementation, *device, *objects, *except, *suffix, *flags;
    const char *const *names; /* of objects */
    int n_names;
    bool force, bare;
};

/* 1: go on; 0: help was printed; -1: err. */
static int read_options(int argc, char **argv, struct options *o, struct hpc_error *err)
{
    static const struct option longs[] = {
        {"impl", required_argument, NULL, 'i'},   {"device", required_argument, NULL, 'd'},
        {"force", no_argument, NULL, 'f'},        {"objects", required_argument, NULL, 'o'},
        {"except", required_argument, NULL, 'e'}, {"suffix", required_argument, NULL, 's'},
        {"flags", required_argument, NULL, 'F'},  {"no-flags", no_argument, NULL, 'b'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0},
    };
    optind = 0;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", longs, NULL)) != -1;) {
        if (c == 'i')
            o->implementation = optarg;
        else if (c == 'd')
            o->device = optarg;
        else if (c == 'f')
            o->force = true;
        else if (c == 'o')
            o->objects = optarg;
        else if (c == 'e')
            o->except = optarg;
        else if (c == 's')
            o->suffix = optarg;
        else if (c == 'F')
            o->flags = optarg;
        else if (c == 'b')
            o->bare = true;
        else if (c == 'h')
            return fputs(usage, stdout), 0;
        else
            return hpc_fail(err, "build: %s %s; see ./hpclab build --help",
                            c == ':' ? "a value is missing after" : "unknown option",
                            argv[optind - 1]),
                   -1;
    }
    if (o->objects) {
        o->names = (const char *const *)argv + optind;
        o->n_names = argc - optind;
        return 1;
    }
    if (optind < argc)
        o->lab = argv[optind++];
    if (optind < argc)
        return hpc_fail(err, "build: one lab at a time, found also '%s'", argv[optind]), -1;
    if (!o->lab)
        return hpc_fail(err, "build: expected one lab, such as lab3, or --objects FOLDER"), -1;
    return 1;
}

/* The device of before, with this command's words over it. Whose solutions is never kept: a plain
 * `make labN` behind one of the reference is the student's again. */
static bool select_lab(struct project *p, const struct options *o, struct hpc_error *err)
{
    struct selection *s = &p->selection;
    if (!project_select(p, o->lab, err))
        return false;
    if (o->implementation && strcmp(o->implementation, "student") != 0 &&
        strcmp(o->implementation, "reference") != 0)
        return hpc_fail(err, "--impl %.40s: expected student or reference", o->implementation);
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
    static const char *const names[] = {"runner", "runner-address", "runner-threads",
                                        "runner-check", "object.o"};
    static const enum hpc_place devices[] = {DEVICE_CPU, DEVICE_CUDA};
    for (size_t i = 0; i < sizeof names / sizeof *names * 2; i++) {
        char *path = hpc_printf("%s/build/%s/%s/%s/%s/%s", root, device_name(devices[i % 2]),
                                lab->name, implementation, task->name, names[i / 2]);
        remove(path);
        free(path);
    }
}

/* One line a task; false where the machine, not the task, failed. */
static bool build_one(const struct project *p, const struct lab_task *task, const struct options *o,
                      enum hpc_place device)
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
    if (r->outcome.verdict == VERDICT_PASS)
        printf("  %s compiles%s%s\n", task->name, where, r->built ? "" : " (fresh)");
    else
        printf("  %s%s%s: %s: %s\n", ui_style(UI_BAD), task->name, ui_style(UI_PLAIN),
               verdict_names[r->outcome.verdict], r->outcome.reason);
    fflush(stdout);
    bool good = r->outcome.verdict != VERDICT_ENVIRONMENT;
    trial_close(trial);
    return good;
}

/* The first file that is as it was handed out, then how it is graded. */
static void say_next(const char *root, const struct lab *lab, const char *implementation)
{
    const char *next = NULL;
    for (int i = 0; i < lab->n_tasks && !next && !strcmp(implementation, "student"); i++)
        if (starter_untouched(root, lab->name, lab->tasks[i].file))
            next = lab->tasks[i].file;
    if (next)
        printf("next: edit labs/%s/%s, then ./grade\n", lab->name, next);
    else
        printf("next: ./grade\n");
}

static int build_lab(const struct project *p, const struct options *o)
{
    const struct selection *s = &p->selection;
    const struct lab *lab = p->lab;
    int failed = 0, variants = 0;
    struct hpc_error err;
    enum hpc_place device;
    if (!lab_device(lab, s->device, &device, &err))
        return hpc_report(&err);
    printf("%s, %s: %s\n", lab->name, s->implementation, lab->title);
    for (int i = 0; i < lab->n_tasks && !hpc_interrupted(); i++) {
        const struct lab_task *task = &lab->tasks[i];
        if (task->kind == TASK_ANSWERS) {
            printf("  %s: answered in labs/%s/%s\n", task->name, lab->name, task->file);
            continue;
        }
        variants++;
        failed += !build_one(p, task, o, device);
    }
    if (hpc_interrupted())
        return 130;
    say_reference_missing(p);
    if (variants > 0 && failed == variants) {
        fprintf(stderr,
                "hpclab: no task of %s could be built here; expected what ./hpclab doctor "
                "lists\n",
                lab->name);
        return HPC_EXIT_ENVIRONMENT;
    }
    say_next(p->root, lab, s->implementation);
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
