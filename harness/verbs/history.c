/* hpclab history: best and last score of a lab, and each grading that led there. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/ui.h"
#include "harness/lab/lab.h"
#include "harness/record/kept.h"
#include "harness/lab/selection.h"
#include "harness/verbs/verbs.h"

#define SHOWN 15
#define MOST  1000

struct values {
    bool all;
};
static const struct option_row rows[] = {
    {"all", NULL, "a thousand gradings instead of the last ones", OPTION_SWITCH,
     .at = offsetof(struct values, all)},
    {0},
};
const struct option_table history_options = {
    .command = "./hpclab history",
    .words = "[LAB]",
    .title = "best and last score of a lab, and its gradings",
    .about = "The best and the last score of a lab (the one selected last, where none is named), "
             "and its last gradings: when, how, and which commit of yours. All of it is in "
             "results/LAB/history.csv; the best record is results/LAB/best.json.",
    .examples = "./hpclab history lab3",
    .most = 1,
    .expected = "one lab at a time",
    .rows = rows,
};

/* "2026-11-22 08:15" of "2026-11-22T08:15:24Z". */
static void print_entry(const struct history_entry *e)
{
    char score[60];
    record_points(e->score, e->max_score, e->bonus, score, sizeof score);
    printf("  %.10s %.5s  %-16s", e->when, strlen(e->when) > 16 ? e->when + 11 : "", score);
    if (e->pending > 0)
        printf("  %g pending", e->pending);
    printf("  %s%s  %s\n", e->kind, e->complete ? "" : ", stopped", e->commit);
}

/* The best of all full gradings; of none, where there is none, of any. */
static const struct history_entry *best_of(const struct history_entry *entries, int n)
{
    const struct history_entry *best = NULL;
    for (int i = 0; i < n; i++) {
        const struct history_entry *e = &entries[i];
        bool whole = e->complete && (!strcmp(e->kind, "full") || !strcmp(e->kind, "official"));
        if (whole && (!best || e->score > best->score))
            best = e;
    }
    return best;
}

static int show(const char *root, const char *lab, bool all)
{
    struct hpc_error err;
    struct history_entry *entries = hpc_calloc(MOST, sizeof *entries);
    char *folder = hpc_printf("%s/results/%s", root, lab);
    int n = history_read(folder, entries, MOST, &err);
    const struct history_entry *best = n > 0 ? best_of(entries, n) : NULL;
    if (n > 0) {
        const struct history_entry *last = &entries[n - 1];
        char points[60];
        if (best) {
            record_points(best->score, best->max_score, best->bonus, points, sizeof points);
            printf("%s  best %s (%.10s), ", lab, points, best->when);
        } else
            printf("%s  no full grading yet, ", lab);
        record_points(last->score, last->max_score, last->bonus, points, sizeof points);
        printf("last %s (%.10s)\n\n  when (UTC)\n", points, last->when);
        for (int i = all || n <= SHOWN ? 0 : n - SHOWN; i < n; i++)
            print_entry(&entries[i]);
    } else if (n == 0) {
        hpc_fail(&err, "%s was not graded yet: make %s && ./grade", lab, lab);
    }
    free(folder);
    free(entries);
    return n > 0 ? HPC_EXIT_OK : hpc_report(&err);
}

int verb_history(struct project *p, int argc, char **argv)
{
    struct hpc_error err;
    struct values o = {0};
    int go = options_read(&history_options, &argc, &argv, &o, &err);
    if (go <= 0)
        return go ? hpc_report(&err) : HPC_EXIT_OK;
    bool good = project_select(p, argc ? argv[0] : NULL, &err);
    return good ? show(p->root, p->lab->name, o.all) : hpc_report(&err);
}
