/* hpclab profile: the gprof exercise, of a lab whose lab.ini says `profile = yes`. */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/answers/answers.h"
#include "harness/profile/profile.h"
#include "common/ui.h"
#include "harness/verbs/verbs.h"

static const char usage[] =
    "usage: hpclab profile LAB [--student NAME] [--seconds S] [--quick] [--plain]\n"
    "gprof's flat profile and call graph of mlp/serial at -O0, and a picture of it. The net and\n"
    "the data are drawn from NAME, else from the name in the lab's answers. S is how many\n"
    "seconds gprof shall see at least: 10, with --quick 2. All of it goes to\n"
    "results/LAB/profile/. LAB is one whose lab.ini has the key profile.\n"
    "Example: ./hpclab profile LAB --student \"Ada Lovelace\"\n";

struct options {
    const char *lab, *student;
    double seconds;
};

/* 1: go on; 0: help was printed; -1: err. */
static int read_options(int argc, char **argv, struct options *o, struct hpc_error *err)
{
    static const struct option longs[] = {
        {"student", required_argument, NULL, 'n'}, {"seconds", required_argument, NULL, 's'},
        {"quick", no_argument, NULL, 'q'},         {"plain", no_argument, NULL, 'p'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0},
    };
    bool plain = false;
    char *end;
    optind = 0;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", longs, NULL)) != -1;) {
        if (c == 'n')
            o->student = optarg;
        else if (c == 'q')
            o->seconds = PROFILE_QUICK_SECONDS;
        else if (c == 'p')
            plain = true;
        else if (c == 'h')
            return fputs(usage, stdout), 0;
        else if (c == 's') {
            errno = 0;
            o->seconds = strtod(optarg, &end);
            if (errno || end == optarg || *end || !(o->seconds >= 0.5 && o->seconds <= 600))
                return hpc_fail(err, "--seconds %s: expected a number from 0.5 to 600", optarg), -1;
        } else
            return hpc_fail(err, "profile: %s %s; see ./hpclab profile --help",
                            c == ':' ? "a value is missing after" : "unknown option",
                            argv[optind - 1]),
                   -1;
    }
    ui_init(plain);
    if (optind + 1 < argc)
        return hpc_fail(err, "profile: one lab at a time, found also %s", argv[argc - 1]), -1;
    o->lab = optind < argc ? argv[optind] : NULL;
    return 1;
}

/* The lab, which must have the exercise; else *err names those that have it. */
static bool load_lab(struct project *p, const char *name, struct hpc_error *err)
{
    char names[64][LAB_NAME], list[200] = "";
    if (name && !project_lab(p, name, err))
        return false;
    if (name && p->lab->profile)
        return true;
    int n = lab_names(p->root, names, 64);
    for (int i = 0; i < n; i++) {
        size_t at = strlen(list);
        if (project_lab(p, names[i], err) && p->lab->profile)
            snprintf(list + at, sizeof list - at, "%s%.40s", at ? " or " : "", names[i]);
    }
    return hpc_fail(err, "profile: %s, expected %s", name ? name : "which lab",
                    *list ? list : "a lab whose lab.ini has profile = yes, and none has");
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
    struct options o = {.seconds = PROFILE_SECONDS};
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
