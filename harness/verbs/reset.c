/* hpclab reset: the starter files of a lab again, with a backup of the working copies. */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/lab/lab.h"
#include "harness/lab/starters.h"
#include "harness/verbs/verbs.h"

struct values {
    bool yes;
};
static const struct option_row rows[] = {
    {"yes", NULL, "do not ask, on a terminal", OPTION_SWITCH, .at = offsetof(struct values, yes)},
    {0},
};
const struct option_table reset_options = {
    .command = "./hpclab reset",
    .words = "LAB",
    .title = "a lab's starter files again, with a backup",
    .about = "Puts the starter files of a lab in place of your working copies, each of which is "
             "kept as FILE.YYYYmmdd-HHMMSS.bak beside it. Asks before, on a terminal.",
    .examples = "./hpclab reset lab3\nmake reset LAB=lab3",
    .least = 1,
    .most = 1,
    .expected = "one lab, such as lab3",
    .rows = rows,
};

static bool same_files(const char *a, const char *b)
{
    FILE *f = fopen(a, "rb"), *g = fopen(b, "rb");
    bool same = f && g;
    int c = 0;
    while (same && c != EOF) {
        c = getc(f);
        same = c == getc(g);
    }
    if (f)
        fclose(f);
    if (g)
        fclose(g);
    return same;
}

/* Put one starter back and say so. The backup is a second name, so nothing is ever missing. */
static bool reset_file(const char *root, const char *lab, const char *name, const char *stamp,
                       struct hpc_error *err)
{
    char *working = hpc_printf("%s/labs/%s/%s", root, lab, name);
    char *starter = hpc_printf("%s/labs/%s/starter/%s", root, lab, name);
    char *backup = hpc_printf("%s.%s.bak", working, stamp);
    bool good = true;
    if (access(working, F_OK) != 0) {
        good = starter_copy(root, lab, name, err);
        if (good)
            printf("  labs/%s/%s laid out\n", lab, name);
    } else if (same_files(working, starter)) {
        printf("  labs/%s/%s is the starter already\n", lab, name);
    } else if (link(working, backup) != 0) {
        good =
            hpc_fail_env(err, "%s: %s; expected to keep a backup there", backup, strerror(errno));
    } else {
        good = starter_copy(root, lab, name, err);
        if (good)
            printf("  labs/%s/%s is the starter again, yours is %s.%s.bak\n", lab, name, name,
                   stamp);
    }
    free(working);
    free(starter);
    free(backup);
    return good;
}

static bool reset_lab(const char *root, const char *lab, struct hpc_error *err)
{
    char stamp[32], **names;
    time_t now = time(NULL);
    struct tm local;
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", localtime_r(&now, &local));
    int n = starter_names(root, lab, &names, err);
    bool good = n >= 0;
    for (int i = 0; i < n; i++) {
        if (good)
            good = reset_file(root, lab, names[i], stamp, err);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
    return good;
}

/* Only on a terminal; elsewhere somebody typed it into a script and means it. */
static bool confirmed(const char *lab)
{
    char answer[16] = "";
    if (!isatty(STDIN_FILENO))
        return true;
    printf("Put the starters of %s in place of your files (backups are kept)? [y/N] ", lab);
    fflush(stdout);
    return fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

int verb_reset(struct project *p, int argc, char **argv)
{
    struct values o = {0};
    struct hpc_error err;
    int go = options_read(&reset_options, &argc, &argv, &o, &err);
    if (go <= 0)
        return go ? hpc_report(&err) : HPC_EXIT_OK;
    bool good = project_lab(p, argv[0], &err);
    if (good && !o.yes && !confirmed(p->lab->name)) {
        printf("nothing was changed\n");
        return HPC_EXIT_OK;
    }
    good = good && reset_lab(p->root, p->lab->name, &err);
    return good ? HPC_EXIT_OK : hpc_report(&err);
}
