/* hpclab profile: the gprof exercise of lab1. */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/answers/sheet.h"
#include "harness/profile/profile.h"
#include "common/ui.h"
#include "harness/verbs/verbs.h"

static const char usage[] =
    "usage: hpclab profile lab1 [--student NAME] [--seconds S] [--quick] [--plain]\n"
    "gprof's flat profile and call graph of mlp/serial at -O0, and a picture of it. The net and\n"
    "the data are drawn from NAME, else from `student` in labs/lab1/answers.ini. S is how many\n"
    "seconds gprof shall see at least: 10, with --quick 2. All of it goes to\n"
    "results/lab1/profile/.\n"
    "Example: ./hpclab profile lab1 --student \"Ada Lovelace\"\n";

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
    if (optind + 1 != argc || strcmp(argv[optind], "lab1") != 0)
        return hpc_fail(err, "profile: %s, expected lab1: the exercise is there",
                        optind < argc ? argv[argc - 1] : "which lab"),
               -1;
    o->lab = argv[optind];
    return 1;
}

int verb_profile(const char *root, int argc, char **argv)
{
    struct options o = {.seconds = PROFILE_SECONDS};
    struct hpc_error err;
    int go = read_options(argc, argv, &o, &err);
    if (go <= 0)
        return go == 0 ? HPC_EXIT_OK : hpc_report(&err);
    char student[PROFILE_STUDENT], note[4096];
    if (o.student)
        snprintf(student, sizeof student, "%s", o.student);
    else if (!answers_student(root, o.lab, student, sizeof student, &err))
        return hpc_report(&err);
    if (!profile_name_good(student, &err))
        return hpc_report(&err);
    struct profile *p = hpc_calloc(1, sizeof *p);
    char *folder = hpc_printf("%s/results/%s/profile", root, o.lab);
    bool good = profile_prepare(root, student, o.seconds, folder, p, &err) &&
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
