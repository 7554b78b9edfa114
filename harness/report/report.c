/* hpclab report: results/LAB/report.html, one page without anything from elsewhere. */
#define _GNU_SOURCE
#include "harness/report/report.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/scratch.h"
#include "common/ui.h"
#include "harness/report/internal.h"

struct values {
    bool plain;
};
static const struct option_row rows[] = {
    {"plain", NULL, "no colour", OPTION_SWITCH, .at = offsetof(struct values, plain)},
    {0},
};
const struct option_table report_options = {
    .command = "./hpclab report",
    .words = "[LAB]",
    .title = "history, verdicts, findings and pictures of a lab as one page",
    .about = "Writes results/LAB/report.html (of the lab selected last, where none is named): "
             "scores so far, the last grading, what the checker found with your lines around it, "
             "the pictures of ./hpclab bench and ./hpclab profile, the machine. It is one file, "
             "needs no network and may be sent as it is.",
    .examples = "./hpclab report lab6",
    .most = 1,
    .expected = "one lab at a time",
    .rows = rows,
};

static void add_head(struct report *r)
{
    const struct record *k = &r->record;
    char *title = hpc_printf("%s: %s", r->project->lab->name, r->project->lab->title);
    html_begin(&r->page, title);
    text_add(&r->page, "<p><b class=\"score\">%.1f of %g points</b>",
             record_shown(record_score(k) - record_bonus(k), record_max_score(k)),
             record_max_score(k));
    if (record_bonus(k) > 0)
        text_add(&r->page, " and %.1f bonus", record_bonus(k));
    if (record_pending(k) > 0)
        text_add(&r->page, ", %g more pending", record_pending(k));
    text_add(&r->page, "<br><small>");
    html_words(&r->page, k->implementation);
    text_add(&r->page, ", hpclab ");
    html_words(&r->page, k->version);
    text_add(&r->page, ", %s%s%s, seed %llu</small></p>\n",
             k->official ? "official" : "provisional", k->quick ? ", --quick" : "",
             k->complete ? "" : ", stopped", (unsigned long long)k->seed);
    free(title);
}

/* By way of a temporary file. */
static bool write_page(const char *path, const struct text *page, struct hpc_error *err)
{
    char *temporary = scratch_beside(path);
    FILE *f = fopen(temporary, "we");
    bool good = f && fwrite(text_string(page), 1, page->length, f) == page->length;
    if (f && fclose(f) != 0)
        good = false;
    if (!good || rename(temporary, path) != 0) {
        good = hpc_fail_env(err, "%s: %s", path, strerror(errno));
        unlink(temporary);
    }
    free(temporary);
    return good;
}

int verb_report(struct project *p, int argc, char **argv)
{
    struct hpc_error err;
    struct values o = {0};
    const int go = options_read(&report_options, &argc, &argv, &o, &err);
    if (go <= 0)
        return go ? hpc_report(&err) : HPC_EXIT_OK;
    ui_init(o.plain);
    if (!project_select(p, argc ? argv[0] : NULL, &err))
        return hpc_report(&err);
    struct report *r = hpc_calloc(1, sizeof *r);
    r->project = p;
    r->folder = hpc_printf("%s/results/%s", p->root, p->lab->name);
    char *record = hpc_printf("%s/record.json", r->folder);
    char *path = hpc_printf("%s/report.html", r->folder);
    bool good =
        access(record, F_OK) == 0 ||
        hpc_fail(&err, "%s was not graded yet: make %s && ./grade", p->lab->name, p->lab->name);
    good = good && record_read(record, &r->record, &err);
    if (good) {
        add_head(r);
        report_tasks(r);
        report_history(r);
        report_pictures(r);
        report_machine(r);
        html_end(&r->page);
        good = write_page(path, &r->page, &err);
    }
    if (good)
        printf("written: %s\n", path);
    text_free(&r->page);
    free(path);
    free(record);
    free(r->folder);
    free(r);
    return good ? HPC_EXIT_OK : hpc_report(&err);
}
