/* hpclab grade: grades the lab selected last, task by task, and prints a table. The record is
 * written after each task. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/command.h"
#include "common/random.h"
#include "common/text.h"
#include "common/version.h"
#include "harness/cluster/cluster.h"
#include "harness/verbs/grade_print.h"
#include "harness/class/formats.h"
#include "harness/grade/task.h"
#include "common/interrupt.h"
#include "harness/jail/jail.h"
#include "harness/lab/starters.h"
#include "harness/handin/handin.h"
#include "harness/record/kept.h"
#include "common/ui.h"
#include "harness/lab/selection.h"
#include "harness/verbs/verbs.h"

struct options {
    const char *lab, *file, *format, *json, *implementation, *device, *from, *as, *rule;
    const char *queue, *sent;
    struct option_many only;
    uint64_t seed;
    enum regrade regrade; /* of rule */
    bool seeded, quick, official, plain, verbose;
};

#define AT(member) .at = offsetof(struct options, member)
static const struct option_row rows[] = {
    {"only", "TASK", "this task alone (may be given again)", OPTION_MANY, AT(only)},
    {"quick", NULL,
     "fewer timings; sanitizers for 3 s each, of what is right that for races, of what is wrong "
     "all, of CUDA the checker: a look before the real thing",
     OPTION_SWITCH, AT(quick)},
    {"seed", "N", "the same inputs again (a report names the seed it used)", OPTION_SEED, AT(seed)},
    {"json", "FILE", "a copy of the record, also kept in results/labN/record.json", OPTION_TEXT,
     AT(json)},
    {"impl", "student|reference",
     "whose files, for this grading only: those in labs/labN/, or ours", OPTION_CHOICE,
     AT(implementation)},
    {"device", "auto|cpu|cuda", "cuda: a GPU; cpu: the CPU device; for this grading only",
     OPTION_CHOICE, AT(device)},
    {"from", "WHAT",
     "what a student handed in: a folder, .tar, .tar.gz or .zip; the record is kept in "
     "results/submissions/NAME/",
     OPTION_TEXT, AT(from)},
    {"as", "NAME",
     "who handed it in, as the course knows: the record is kept in results/submissions/NAME/, and "
     "sheets are marked under that name only",
     OPTION_TEXT, AT(as)},
    {"official", NULL, "for the gradebook: refused where the jail is weaker than the site allows",
     OPTION_SWITCH, AT(official)},
    {"regrade", "waiting|all",
     "an official grading of what has one already: tasks whose points wait, or all; else the first "
     "official result counts",
     OPTION_CHOICE, AT(rule)},
    {"queue", "SITE.ini",
     "on a node of a Slurm cluster, as that file or, without one, cluster.ini says "
     "(docs/instructor.md); says the place in the queue and waits",
     OPTION_MAYBE, AT(queue)},
    {"sent", "FOLDER", "what a cluster's node grades for --queue: the files as they were sent",
     OPTION_TEXT, AT(sent)},
    {"format", "gradescope|autolab|classroom|prairielearn|junit|canvas|moodle",
     "writes the result to FILE, the last word, as that system takes it", OPTION_CHOICE,
     AT(format)},
    {"plain", NULL, "no colour, no progress", OPTION_SWITCH, AT(plain)},
    {"verbose", NULL,
     "look where a timed task in C has its time; the jail and the seed on the screen too",
     OPTION_SWITCH, AT(verbose)},
    {0},
};
const struct option_table grade_options = {
    .command = "./grade",
    .words = "[LAB] [FILE]",
    .title = "right answers, safety and speed of the lab selected last",
    .about =
        "Grades the lab that `make labN` selected last: right answers, safety, speed. Rebuilds "
        "what is stale.",
    .ending = "Ends with 0: all points that are not pending; 1: below; 2: usage; 3: nothing could "
              "be scored.",
    .examples = "./grade\n./grade lab3 --only openmp_trainer --quick",
    .most = 2,
    .expected = "one lab at a time, and a FILE with --format",
    .rows = rows,
};

/* Whether the options go together. */
static bool check_options(const struct options *o, struct hpc_error *err)
{
    if (o->from && o->implementation)
        return hpc_fail(err, "--from --impl: what was handed in is the student's");
    if (o->as && (!o->from || !*o->as))
        return hpc_fail(err, "--as: expected a name, and --from with what was handed in");
    if ((o->queue || o->sent) && (o->from || o->official || o->format || o->json))
        return hpc_fail(err, "--queue: expected none of --from, --official, --format, --json");
    if (o->regrade != REGRADE_NONE && (!o->official || !o->from || o->seeded))
        return hpc_fail(err,
                        "--regrade: expected --official and --from, and no --seed: it is fresh");
    if (o->official && o->quick)
        return hpc_fail(err, "--official --quick: a quick look is never official");
    return true;
}

/* 1: go on; 0: help was printed; -1: err. */
static int read_options(int argc, char **argv, struct options *o, struct hpc_error *err)
{
    const uint64_t drawn = o->seed = hpc_random_seed();
    int go = options_read(&grade_options, &argc, &argv, o, err);
    if (go <= 0)
        return go;
    o->seeded = o->seed != drawn;
    if (o->format && argc)
        o->file = argv[--argc];
    o->lab = argc ? argv[0] : NULL;
    if (o->format && (!o->file || !strpbrk(o->file, "./")))
        return hpc_fail(err, "--format %s: expected a file behind it, such as results.json",
                        o->format) -
               1;
    if (argc > 1)
        return hpc_fail(err, "%s: unexpected, expected %s", argv[1], grade_options.expected) - 1;
    return (!o->rule || kept_rule(o->rule, &o->regrade, err)) && check_options(o, err) ? 1 : -1;
}

static bool selected(const struct options *o, const char *task)
{
    for (int i = 0; i < o->only.n; i++)
        if (!strcmp(o->only.word[i], task))
            return true;
    return o->only.n == 0;
}

static bool check_only(const struct options *o, const struct lab *lab, struct hpc_error *err)
{
    for (int i = 0; i < o->only.n; i++) {
        if (lab_task_find(lab, o->only.word[i]))
            continue;
        char *hint = lab_task_hint(lab, o->only.word[i]);
        hpc_fail(err, "--only %s: %s has no such task%s", o->only.word[i], lab->name, hint);
        free(hint);
        return false;
    }
    return true;
}

static bool save(const struct record *r, const struct options *o, const char *path, bool first)
{
    struct hpc_error err;
    return kept_write(r, path, o->json, first, &err) || !hpc_report(&err);
}

/* The same as another system takes it. */
static bool save_format(const struct record *r, const struct options *o)
{
    struct hpc_error err;
    return !o->format || format_write(o->format, r, o->file, &err) || !hpc_report(&err);
}

/* The history's line, and the records that later gradings leave alone: not of our reference. */
static void keep(const char *root, const struct record *r, bool all, const char *folder)
{
    struct hpc_error err;
    if (strcmp(r->implementation, "student") != 0)
        return;
    char *working = hpc_printf("%s/labs/%s", root, r->lab);
    if (!history_add(folder, working, r, all, machine_here(), &err))
        hpc_report(&err);
    free(working);
}

/* What a record says of the whole, before its first task. */
static void start_record(struct record *r, const struct project *p, const struct options *o,
                         enum hpc_place device, const struct handin *handed_in)
{
    const struct lab *lab = p->lab;
    snprintf(r->lab, sizeof r->lab, "%s", lab->name);
    snprintf(r->implementation, sizeof r->implementation, "%s", p->selection.implementation);
    snprintf(r->device, sizeof r->device, "%s", device_name(device));
    snprintf(r->version, sizeof r->version, "%s", HPC_VERSION);
    HPC_ASSERT(text_fit(r->jail, sizeof r->jail, "%s", jail_description()));
    r->seed = o->seed;
    r->quick = o->quick;
    r->official = o->official;
    if (handed_in) {
        snprintf(r->submission, sizeof r->submission, "%s", handed_in->name);
        snprintf(r->student, sizeof r->student, "%s", o->as ? o->as : "");
        snprintf(r->sha256, sizeof r->sha256, "%s", handed_in->sha256);
        strcpy(r->remark, handed_in->unread);
    }
    r->regrade = o->regrade;
}

/* root: where the files are; handed_in: NULL, or whose they are if they are no working copies. */
static int grade_lab(const struct project *p, const struct options *o, enum hpc_place device,
                     const char *root, const struct handin *handed_in)
{
    const struct lab *lab = p->lab;
    struct project graded = *p;
    graded.root = root;
    struct record *r = hpc_calloc(1, sizeof *r), *before = hpc_calloc(1, sizeof *before);
    struct hpc_error err;
    start_record(r, p, o, device, handed_in);
    char *path = kept_path(p->root, r, before, &err);
    if (!path) {
        free(r);
        free(before);
        return hpc_report(&err);
    }
    grade_print_head(r, lab, o->only.n ? o->only.n : lab->n_tasks, o->verbose);
    char *kept = hpc_printf("%.*s", (int)(strrchr(path, '/') - path), path);
    struct grading g = {.project = &graded,
                        .implementation = p->selection.implementation,
                        .seed = r->seed,
                        .device = device,
                        .quick = o->quick,
                        .kept = handed_in && !o->official ? NULL : kept,
                        .handed_in = handed_in != NULL,
                        .looks = o->verbose,
                        .pictures = true,
                        .student = o->as};
    bool saved = save(r, o, path, true);
    for (int i = 0; i < lab->n_tasks && saved && !hpc_interrupted(); i++) {
        struct task_result *t = &r->tasks[r->n_tasks];
        if (kept_task(r, before, lab->tasks[i].name, t)) {
            ; /* by the rule */
        } else if (selected(o, lab->tasks[i].name)) {
            grade_task(&g, &lab->tasks[i], t);
            g.pictures = g.pictures && !t->picture[0]; /* the first alone */
            kept_count(before, t);
            if (handed_in)
                grade_again(lab, o->from, r->seed, t);
        } else {
            grade_skip(&lab->tasks[i], t);
        }
        r->complete = ++r->n_tasks == lab->n_tasks && !hpc_interrupted();
        if (selected(o, lab->tasks[i].name))
            grade_print_task(t);
        saved = save(r, o, path, false);
    }
    saved = saved && save_format(r, o);
    int status = !saved ? HPC_EXIT_ENVIRONMENT : grade_print_end(r, path + strlen(p->root) + 1);
    if (hpc_interrupted()) {
        fprintf(stderr, "hpclab: interrupted; what was graded so far is in %s\n", path);
        status = 130;
    }
    if (!handed_in && (record_max_score(r) > 0 || !hpc_interrupted()))
        keep(graded.root, r, o->only.n == 0, kept);
    free(kept);
    free(path);
    free(before);
    free(r);
    return status;
}

int verb_grade(struct project *p, int argc, char **argv)
{
    struct options o = {0};
    struct hpc_error err;
    struct selection *s = &p->selection;
    enum hpc_place device = DEVICE_CPU;
    int go = read_options(argc, argv, &o, &err);
    if (go <= 0)
        return go ? hpc_report(&err) : HPC_EXIT_OK;
    ui_init(o.plain);
    if (o.official || o.from)
        unsetenv("HPC_BUILD_CACHE"); /* harness/build/kept.c */
    bool good = (!o.official || jail_official(p->root, &err)) && project_select(p, o.lab, &err) &&
                check_only(&o, p->lab, &err);
    if (good && (o.implementation || o.from))
        snprintf(s->implementation, sizeof s->implementation, "%s",
                 o.from ? "student" : o.implementation);
    good = good && (o.from || strcmp(s->implementation, "student") ||
                    lab_layout_starters(p->root, s->lab, &err));
    if (good && o.device)
        snprintf(s->device, sizeof s->device, "%.7s", o.device);
    if (good && o.queue)
        return cluster_own(p, o.queue,
                           &(struct own_words){&o.only, o.implementation, o.device,
                                               o.seeded ? &o.seed : NULL, o.quick, o.verbose});
    good = good && lab_device(p->lab, s->device, &device, &err);
    struct handin handed_in = {.root = ""};
    const char *what = o.sent ? o.sent : o.from;
    good = good && (!what || handin_open(p->root, p->lab, what, &handed_in, &err)) &&
           (!o.from || handin_place(p->root, o.from, o.as, &handed_in, &err));
    if (good && handed_in.unread[0])
        fprintf(stderr, "hpclab: %s\n", handed_in.unread);
    int status =
        good ? grade_lab(p, &o, device, what ? handed_in.root : p->root, o.from ? &handed_in : NULL)
             : hpc_report(&err);
    if (what)
        handin_close(&handed_in);
    return status;
}
