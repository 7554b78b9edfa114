/* hpclab class: what a class handed in, graded. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/interrupt.h"
#include "common/nearest.h"
#include "common/ui.h"
#include "harness/jail/jail.h"
#include "harness/cluster/cluster.h"
#include "harness/course/actions.h"
#include "harness/course/course.h"

struct values {
    struct class_options class;
    const char *lab;
    bool plain, yes;
};
#define AT(member) .at = offsetof(struct values, member)
static const struct option_row rows[] = {
    {"lab", "LAB", "which lab; else the one selected last", OPTION_TEXT, AT(lab)},
    {"roster", "FILE", "who is in the class, a CSV file (docs/instructor.md)", OPTION_TEXT,
     AT(class.roster)},
    {"jobs", "N", "gradings at once; default 2. Timings are one at a time", OPTION_COUNT,
     AT(class.jobs), 1, 256},
    {"quick", NULL, "fewer timings and sanitizers; else every grading is official", OPTION_SWITCH,
     AT(class.quick)},
    {"due", "TIME", "the deadline, such as 2026-11-22T23:59 (UTC, or with +0100 behind it)",
     OPTION_TEXT, AT(class.due)},
    {"budget", "S", "seconds of wall time that a submission may take", OPTION_COUNT,
     AT(class.budget), 1, 1e6},
    {"pattern", "TEXT",
     "how names are read, such as 'hw1_{id}_{rest}', before those that are known", OPTION_TEXT,
     AT(class.pattern)},
    {"folder", "FOLDER", "of the class's state and pages; default results/class/LAB", OPTION_TEXT,
     AT(class.folder)},
    {"past", "DIR", "similar: what was handed in in another term, as DIR of grade", OPTION_TEXT,
     AT(class.past)},
    {"slurm", "SITE.ini", "on the nodes of a Slurm cluster, as that file says (docs/instructor.md)",
     OPTION_TEXT, AT(class.slurm)},
    {"seed", "N",
     "of a new class, from which each grading's is made; rerun, regrade: the inputs' own, in place "
     "of a fresh one",
     OPTION_SEED, AT(class.seed)},
    {"device", "auto|cpu|cuda", "of tasks in CUDA", OPTION_CHOICE, AT(class.device)},
    {"allow-lower", NULL, "a grading anew counts though it has fewer points", OPTION_SWITCH,
     AT(class.allow_lower)},
    {"waiting", NULL, "regrade: those alone of whom points are pending", OPTION_SWITCH,
     AT(class.waiting)},
    {"yes", NULL, "do not ask", OPTION_SWITCH, AT(yes)},
    {"plain", NULL, "no colour, no progress", OPTION_SWITCH, AT(plain)},
    {0},
};
const struct option_table class_options = {
    .command = "./hpclab class",
    .words = "grade DIR | show STUDENT | rerun STUDENT | regrade | diff STUDENT | merge FOLDER | "
             "similar | purge | node LIST",
    .title = "grades what a class handed in",
    .about =
        "grade: the archives and folders of DIR, each once, side by side; the same command goes "
        "on where it was stopped, and grades what is new or has changed. Writes gradebook.csv, "
        "canvas.csv, moodle.csv, "
        "summary.html, leaderboard.html and students/ID.html and .json. show: one student's "
        "attempts and gradings. rerun, regrade: one student's, or all, again with fresh "
        "seeds; no points get fewer without --allow-lower, and none that had ended wait again. "
        "diff: the last two attempts of a "
        "student. merge: takes from the class in FOLDER, graded on another machine, what waits "
        "here, "
        "such as points for speed on a GPU. similar: pairs of submissions that are alike, for "
        "instructors alone: similar.html. purge: removes all that is kept of the class. node: what "
        "a "
        "cluster's node runs for --slurm.",
    .ending = "Ends with 0: all that was handed in is graded; 1: something is nobody's, refused or "
              "not graded, or a row of the roster is left out; 2: usage; 3: this machine.",
    .examples = "./hpclab class grade submissions --lab lab3 --roster roster.csv --jobs 4\n"
                "./hpclab class show ada --lab lab3",
    .least = 1,
    .most = 2,
    .expected = "grade DIR, show STUDENT, rerun STUDENT, regrade, diff STUDENT, merge FOLDER, "
                "similar, purge or node LIST",
    .rows = rows,
};

static const struct {
    const char *name;
    bool word; /* a DIR or STUDENT behind it */
    enum class_use use;
    int (*run)(struct class_state *c, const char *word, bool yes);
} actions[] = {
    {"grade", true, CLASS_MAKE, class_verb_grade},
    {"show", true, CLASS_LOOK, class_verb_show},
    {"rerun", true, CLASS_CHANGE, class_verb_again},
    {"regrade", false, CLASS_CHANGE, class_verb_again},
    {"diff", true, CLASS_LOOK, class_verb_diff},
    {"merge", true, CLASS_CHANGE, class_verb_merge},
    {"similar", false, CLASS_LOOK, class_verb_similar},
    {"purge", false, CLASS_CHANGE, class_verb_purge},
    {"node", true, CLASS_LOOK, NULL}, /* has no class: run_node */
};
enum { N_ACTIONS = sizeof actions / sizeof *actions };

static int find_action(const char *word, int words, struct hpc_error *err)
{
    const char *names[N_ACTIONS];
    int i = 0;
    for (int k = 0; k < N_ACTIONS; k++)
        names[k] = actions[k].name;
    while (i < N_ACTIONS && strcmp(names[i], word) != 0)
        i++;
    if (i == N_ACTIONS) {
        const char *near = nearest_word(word, names, N_ACTIONS);
        hpc_fail(err, "class %.40s: unknown, %s%s", word, near ? "did you mean " : "expected ",
                 near ? near : class_options.expected);
        return -1;
    }
    if (actions[i].word != (words == 2)) {
        hpc_fail(err, "class %s: expected %s", word,
                 actions[i].run == class_verb_again && !actions[i].word
                     ? "no more words: it is everybody's, and rerun STUDENT one's"
                 : !actions[i].word ? "no more words"
                 : actions[i].run == class_verb_grade || actions[i].run == class_verb_merge
                     ? "a folder behind it"
                     : "a student behind it");
        return -1;
    }
    return i;
}

/* What one action alone asks for; the others go by what `class grade` was given. */
static bool check_options(const char *action, const struct class_options *o, struct hpc_error *err)
{
    const struct {
        const char *option, *of;
        bool given;
    } only[] = {{"roster", "grade", o->roster != NULL},
                {"pattern", "grade", o->pattern != NULL},
                {"due", "grade", o->due != NULL},
                {"past", "similar", o->past != NULL},
                {"waiting", "regrade", o->waiting}};
    for (size_t i = 0; i < sizeof only / sizeof *only; i++)
        if (only[i].given && strcmp(action, only[i].of) != 0)
            return hpc_fail(err, "class %s: --%s is %s's, expected `class %s --%s`", action,
                            only[i].option, only[i].of, only[i].of, only[i].option);
    return true;
}

/* A task of the array that --slurm sends. */
static int run_node(struct project *p, const char *list)
{
    struct hpc_error err;
    const char *index = getenv("SLURM_ARRAY_TASK_ID");
    if (index)
        return cluster_node(p, list, atoi(index));
    hpc_fail(&err, "class node: no SLURM_ARRAY_TASK_ID here, expected to be run by Slurm");
    return hpc_report(&err);
}

int verb_class(struct project *p, int argc, char **argv)
{
    struct values o = {.class = {.jobs = 2}};
    struct hpc_error err;
    struct class_state c;
    int go = options_read(&class_options, &argc, &argv, &o, &err);
    if (go <= 0)
        return go ? hpc_report(&err) : HPC_EXIT_OK;
    ui_init(o.plain);
    const int i = find_action(argv[0], argc, &err);
    unsetenv("HPC_BUILD_CACHE"); /* harness/build/kept.c */
    if (i >= 0 && !actions[i].run)
        return run_node(p, argv[1]);
    if (i < 0 || !project_select(p, o.lab, &err))
        return hpc_report(&err);
    if (actions[i].run == class_verb_grade && !o.class.quick && !o.class.slurm &&
        !jail_official(p->root, &err))
        return hpc_report(&err);
    if (!check_options(actions[i].name, &o.class, &err))
        return hpc_report(&err);
    int status;
    if (class_open(&c, p, &o.class, actions[i].use, &err))
        status = actions[i].run(&c, argc == 2 ? argv[1] : NULL, o.yes);
    else
        status = hpc_report(&err);
    class_close(&c);
    return status;
}
