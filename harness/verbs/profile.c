/* hpclab profile: the gprof exercise, of a lab whose lab.ini says `profile = yes`; of all others,
 * and of a task that is named, the lines of the student's file where the time goes. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/answers/answers.h"
#include "harness/lines/lines.h"
#include "harness/profile/profile.h"
#include "common/ui.h"
#include "harness/verbs/verbs.h"

#define ROUNDS 4 /* of samples */

struct options {
    const char *lab, *student, *only;
    double seconds;
    bool quick, plain;
};

#define AT(member) .at = offsetof(struct options, member)
static const struct option_row rows[] = {
    {"only", "TASK", "your file of this task alone, line by line", OPTION_TEXT, AT(only)},
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
    .title = "where the time goes: gprof's profile, or your files line by line",
    .about =
        "Of a lab whose lab.ini has the key profile: gprof's flat profile and call graph of "
        "mlp/serial at -O0, and a picture of it. Of every other lab, and of a task that --only "
        "names: your files as they are graded, in the jail, stopped at random moments: the lines "
        "and functions where the time goes, who calls them, what Amdahl's law says of the "
        "hottest, what gprof would not see, instructions a cycle and misses where the "
        "machine shows them; of an MPI program all that of its rank 0; of a .cu what each kernel "
        "and each of its lines asks "
        "of memory, as the CPU "
        "device counts it, and which lanes of a warp touch which sectors; where the lab is graded "
        "on a GPU and Nsight Compute (ncu) is installed, how near each kernel comes to the GPU's "
        "peaks, what it moves, and how many warps were there, of one call of your file in no "
        "jail. All of it is in results/LAB/profile/.",
    .examples = "./hpclab profile LAB --student \"Ada Lovelace\"\n"
                "./hpclab profile lab3 --only openmp_trainer",
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

static bool profile_exercise(const struct project *project, const struct options *o,
                             struct hpc_error *err)
{
    char student[PROFILE_STUDENT], note[4096];
    if (!find_name(project, o, student, err))
        return false;
    struct profile *p = hpc_calloc(1, sizeof *p);
    char *folder = hpc_printf("%s/results/%s/profile", project->root, o->lab);
    bool good =
        profile_prepare(project->root, student, project->lab->term, o->seconds, folder, p, err) &&
        profile_take(folder, p, err) && profile_report(p, folder, note, sizeof note, err);
    if (good) {
        profile_print(p);
        printf("\nflat.txt, graph.txt, sections.txt, facts.json and pictures are in\n  %s\n%s",
               folder, note);
    }
    free(folder);
    free(p);
    return good;
}

int verb_profile(struct project *project, int argc, char **argv)
{
    struct options o = {0};
    struct hpc_error err;
    int go = read_options(argc, argv, &o, &err);
    if (go <= 0)
        return go == 0 ? HPC_EXIT_OK : hpc_report(&err);
    if (!o.lab)
        hpc_fail(&err, "profile: which lab? Expected one, such as lab3");
    if (!o.lab || !project_lab(project, o.lab, &err))
        return hpc_report(&err);
    bool good = project->lab->profile && !o.only
                    ? profile_exercise(project, &o, &err)
                    : lines_of_lab(project, o.only, o.quick ? 1 : ROUNDS, &err);
    return good ? HPC_EXIT_OK : hpc_report(&err);
}
