/* hpclab handin: looks at what a student is about to hand in, then packs it. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/interrupt.h"
#include "common/random.h"
#include "common/ui.h"
#include "harness/class/pack.h"
#include "harness/course/course.h"

struct values {
    bool anyway, plain;
};
#define AT(member) .at = offsetof(struct values, member)
static const struct option_row rows[] = {
    {"anyway", NULL, "pack it though something is missing or wrong", OPTION_SWITCH, AT(anyway)},
    {"plain", NULL, "no colour, no progress", OPTION_SWITCH, AT(plain)},
    {0},
};
const struct option_table handin_options = {
    .command = "./hpclab handin",
    .words = "LAB",
    .title = "looks at your files of a lab and packs them",
    .about =
        "Builds your files of a lab, tries the cases that you can see, says what is missing, "
        "and writes dist/handin-LAB.tar.gz: your files, the report where the lab asks for one, "
        "and a manifest. Nothing is timed and no answer is marked.",
    .ending =
        "Ends with 0 when it was packed, 1 when something is missing or wrong and it was not.",
    .examples = "./hpclab handin lab3\nmake handin LAB=lab3",
    .least = 1,
    .most = 1,
    .expected = "one lab, such as lab3",
    .rows = rows,
};

/* Whether to pack it all the same: said by an option, or on a terminal. */
static bool wanted(const struct values *o, int faults)
{
    char answer[16] = "";
    if (faults == 0 || o->anyway)
        return true;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return false;
    printf("Pack it as it is? [y/N] ");
    fflush(stdout);
    return fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

/* As ./grade prints a task, without points; what its file lacks in place of the reason. */
static void print_task(const struct task_result *t, const char *lack)
{
    const bool good = !lack && t->outcome.verdict == VERDICT_PASS,
               waits = !lack && verdict_waits(t->outcome.verdict);
    printf(" %s%s%s %s: %s",
           ui_style(good    ? UI_GOOD
                    : waits ? UI_WARN
                            : UI_BAD),
           ui_mark(good    ? UI_YES
                   : waits ? UI_WAITS
                           : UI_NO),
           ui_style(UI_PLAIN), t->name, verdict_names[t->outcome.verdict]);
    if (t->correctness.cases)
        printf(", %d of %d cases", t->correctness.passed, t->correctness.cases);
    printf("\n");
    if (lack || t->outcome.reason[0])
        ui_paragraph(6, "", lack ? lack : t->outcome.reason);
}

/* A line that is no task's verdict. */
static void print_fault(const char *line)
{
    char *mark = hpc_printf(" %s%s%s ", ui_style(UI_BAD), ui_mark(UI_NO), ui_style(UI_PLAIN));
    ui_row(mark, line);
    free(mark);
}

/* Each task once, then the report; how many are missing or wrong. */
static int print_checked(const struct project *p, const struct record *r)
{
    int faults = 0;
    for (int i = 0; i < r->n_tasks; i++) {
        const struct task_result *t = &r->tasks[i];
        bool there;
        char *lack = pack_lack(p, &p->lab->tasks[i], &there);
        if (there)
            print_task(t, lack);
        else
            print_fault(lack);
        faults +=
            lack || (t->outcome.verdict != VERDICT_PASS && !verdict_waits(t->outcome.verdict));
        free(lack);
    }
    char *report = pack_report(p);
    if (report)
        print_fault(report);
    faults += report != NULL;
    free(report);
    return faults;
}

static int pack_lab(const struct project *p, const struct record *r)
{
    struct hpc_error err;
    char *path = NULL;
    const bool good = pack_write(p, r, &path, &err);
    if (good)
        printf("%s: hand this file in, as your course says\n", path);
    free(path);
    return good ? HPC_EXIT_OK : hpc_report(&err);
}

/* Nothing was packed: what would, and the reason as the last line. */
static void say_refused(const char *lab, int faults)
{
    char *packs = hpc_printf("./hpclab handin %s --anyway (make handin LAB=%s ANYWAY=1) packs it "
                             "as it is.",
                             lab, lab);
    ui_paragraph(0, "", packs);
    free(packs);
    fflush(stdout);
    fprintf(stderr, "hpclab: %s: %d missing or wrong, expected none; nothing was packed\n", lab,
            faults);
}

int verb_handin(struct project *p, int argc, char **argv)
{
    struct values o = {0};
    struct hpc_error err;
    enum hpc_place device;
    int go = options_read(&handin_options, &argc, &argv, &o, &err);
    if (go <= 0)
        return go ? hpc_report(&err) : HPC_EXIT_OK;
    ui_init(o.plain);
    if (!project_select(p, argv[0], &err) ||
        !lab_device(p->lab, p->selection.device, &device, &err))
        return hpc_report(&err);
    struct record *r = hpc_calloc(1, sizeof *r);
    printf("%s%s  %s%s\n", ui_style(UI_BOLD), p->lab->name, p->lab->title, ui_style(UI_PLAIN));
    pack_check(p, device, hpc_random_seed(), r);
    ui_progress_end();
    const int faults = print_checked(p, r);
    int status = HPC_EXIT_BELOW;
    if (hpc_interrupted())
        status = 130;
    else if (wanted(&o, faults))
        status = pack_lab(p, r);
    else
        say_refused(p->lab->name, faults);
    free(r);
    return status;
}
