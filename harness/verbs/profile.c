/* hpclab profile: the gprof exercise, of a lab whose lab.ini says `profile = yes`. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/answers/answers.h"
#include "harness/profile/profile.h"
#include "common/ui.h"
#include "common/text.h"
#include "harness/verbs/verbs.h"

struct options {
    const char *lab, *student;
    double seconds;
    bool quick, plain;
};

#define AT(member) .at = offsetof(struct options, member)
static const struct option_row rows[] = {
    {"student", "NAME", "what draws the net and the data; else the name in the lab's answers",
     OPTION_TEXT, AT(student)},
    {"seconds", "S", "that gprof shall see at least; default 10", OPTION_NUMBER, AT(seconds), 0.5,
     600},
    {"quick", NULL, "2 seconds are enough", OPTION_SWITCH, AT(quick)},
    {"plain", NULL, "no colour, no progress", OPTION_SWITCH, AT(plain)},
    {0},
};
const struct option_table profile_options = {
    .command = "./hpclab profile",
    .words = "LAB",
    .title = "gprof's profile and call graph of mlp/serial",
    .about = "gprof's flat profile and call graph of mlp/serial at -O0, and a picture of it, in "
             "results/LAB/profile/. LAB is one whose lab.ini has the key profile.",
    .examples = "./hpclab profile LAB --student \"Ada Lovelace\"",
    .most = 1,
    .expected = "one lab at a time",
    .rows = rows,
};

/* 1: go on; 0: help was printed; -1: err. */
static int read_options(int argc, char **argv, struct options *o, struct hpc_error *err)
{
    int go = options_read(&profile_options, &argc, &argv, o, err);
    if (go <= 0)
        return go;
    ui_init(o->plain);
    o->lab = argc ? argv[0] : NULL;
    if (o->seconds == 0)
        o->seconds = o->quick ? PROFILE_QUICK_SECONDS : PROFILE_SECONDS;
    return 1;
}

/* The lab, which must have the exercise; else *err names those that have it. */
static bool load_lab(struct project *p, const char *name, struct hpc_error *err)
{
    char names[64][LAB_NAME];
    struct text list = {0};
    if (name && !project_lab(p, name, err))
        return false;
    if (name && p->lab->profile)
        return true;
    int n = lab_names(p->root, names, 64);
    for (int i = 0; i < n; i++)
        if (project_lab(p, names[i], err) && p->lab->profile)
            text_list(&list, " or ", names[i]);
    hpc_fail(err, "profile: %s, expected %s", name ? name : "which lab",
             list.length ? text_string(&list)
                         : "a lab whose lab.ini has profile = yes, and none has");
    text_free(&list);
    return false;
}

/* The name that draws: of --student, else of the lab's answers. */
static bool find_name(const struct project *p, const struct options *o,
                      char student[PROFILE_STUDENT], struct hpc_error *err)
{
    if (o->student)
        snprintf(student, PROFILE_STUDENT, "%s", o->student);
    else if (!answers_student(p, student, PROFILE_STUDENT, err))
        return false;
    if (!*student)
        return hpc_fail(err,
                        "profile: no name in the answers of %s: write yours there, or give it: "
                        "--student NAME",
                        p->lab->name);
    return profile_name_good(student, err);
}

int verb_profile(struct project *project, int argc, char **argv)
{
    struct options o = {0};
    struct hpc_error err;
    int go = read_options(argc, argv, &o, &err);
    if (go <= 0)
        return go == 0 ? HPC_EXIT_OK : hpc_report(&err);
    char student[PROFILE_STUDENT], note[4096];
    if (!load_lab(project, o.lab, &err) || !find_name(project, &o, student, &err))
        return hpc_report(&err);
    struct profile *p = hpc_calloc(1, sizeof *p);
    char *folder = hpc_printf("%s/results/%s/profile", project->root, o.lab);
    bool good = profile_prepare(project->root, student, o.seconds, folder, p, &err) &&
                profile_take(folder, p, &err) && profile_report(p, folder, note, sizeof note, &err);
    if (good) {
        profile_print(p);
        printf("\nflat.txt, graph.txt, sections.txt, facts.json and pictures are in\n  %s\n%s",
               folder, note);
    }
    free(folder);
    free(p);
    return good ? HPC_EXIT_OK : hpc_report(&err);
}
