/* hpclab reset: the starter files of a lab again, with a backup of the working copies. */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/lab/lab.h"
#include "harness/lab/starters.h"
#include "harness/verbs/verbs.h"

static const char usage[] =
    "usage: hpclab reset LAB [--yes]\n"
    "Puts the starter files of a lab in place of your working copies, each of which is kept as\n"
    "FILE.YYYYmmdd-HHMMSS.bak beside it. Asks before, on a terminal, unless --yes is given.\n"
    "Example: ./hpclab reset lab3        (or: make reset LAB=lab3)\n";

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
    static const struct option longs[] = {
        {"yes", no_argument, NULL, 'y'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    bool yes = false;
    struct hpc_error err;
    optind = 0;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":hy", longs, NULL)) != -1;) {
        if (c == 'y') {
            yes = true;
        } else if (c == 'h') {
            fputs(usage, stdout);
            return HPC_EXIT_OK;
        } else {
            fprintf(stderr, "hpclab: reset: unknown option %s; see ./hpclab reset --help\n",
                    argv[optind - 1]);
            return HPC_EXIT_USAGE;
        }
    }
    if (argc - optind != 1) {
        fprintf(stderr, "hpclab: reset: expected one lab, such as lab3\n");
        return HPC_EXIT_USAGE;
    }
    bool good = project_lab(p, argv[optind], &err);
    if (good && !yes && !confirmed(p->lab->name)) {
        printf("nothing was changed\n");
        return HPC_EXIT_OK;
    }
    good = good && reset_lab(p->root, p->lab->name, &err);
    return good ? HPC_EXIT_OK : hpc_report(&err);
}
