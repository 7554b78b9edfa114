/* A grading as `./grade` prints it. */
#include "harness/verbs/grade_print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/lab/term.h"
#include "harness/record/score.h"
#include "common/ui.h"

/* What this term asks otherwise. */
static void say_term(void *data, const struct hpc_op *op, const struct hpc_term *t)
{
    (void)data;
    printf("this term, %s: %s\n", op->name, t->says);
}

void grade_print_head(const struct record *r, const struct lab *lab, int tasks, bool verbose)
{
    ui_progress_parts(tasks);
    printf("%s%s  %s%s\n", ui_style(UI_BOLD), lab->name, lab->title, ui_style(UI_PLAIN));
    printf("%s%s, hpclab %s, %s, %s\n", ui_style(UI_DIM), r->implementation, r->version, r->device,
           r->official ? "official"
           : r->quick  ? "quick: provisional"
                       : "provisional");
    term_each(lab, say_term, NULL);
    if (verbose)
        printf("jail: %s, seed %llu\n", r->jail, (unsigned long long)r->seed);
    printf("\n  %-20s %-14s %-6s %-22s %9s%s\n", "task", "verdict", "cases", "speed of full marks",
           "points", ui_style(UI_PLAIN));
    fflush(stdout);
}

static void speed_text(const struct task_speed *s, char *text, size_t size)
{
    if (s->measured)
        record_speed(s, text, size);
    else
        snprintf(text, size, "-");
}

static void print_traffic(const struct task_traffic *t)
{
    char mark[300], text[400];
    for (int i = 0; t->measured && i < t->n; i++) {
        record_mark(&t->mark[i], mark, sizeof mark);
        snprintf(text, sizeof text, "%s %s (case %s)", t->mark[i].met ? ui_tick() : ui_cross(),
                 mark, t->case_name);
        ui_paragraph(6, "", text);
    }
}

/* What was measured, and what it is worth. */
static void print_speed(const struct task_speed *s)
{
    char ratio[60], explained[120], text[400];
    record_ratio(s, ratio, sizeof ratio);
    if (s->of_copy)
        score_share_explain(s->target, explained, sizeof explained);
    else
        score_explain(s->target, explained, sizeof explained);
    snprintf(text, sizeof text, "%s; %s (%s)", ratio, explained, s->target_source);
    ui_paragraph(6, "speed: ", text);
}

/* What it was seen to do, of a task that came through its timing. */
static void print_counters(const struct task_speed *s)
{
    char text[300];
    record_counters(s, text, sizeof text);
    if (s->measured && text[0])
        ui_paragraph(6, "seen: ", text);
}

static void print_row(const struct task_result *t, enum ui_style style, enum ui_mark mark)
{
    char speed[80], cases[24] = "-", points[32];
    speed_text(&t->speed, speed, sizeof speed);
    if (t->correctness.cases)
        snprintf(cases, sizeof cases, "%d/%d", t->correctness.passed, t->correctness.cases);
    record_task_cell(t, points, sizeof points);
    printf("  %-20s %s%s %-11s%s %-6s %-22s %9s\n", t->name, ui_style(style), ui_mark(mark),
           verdict_names[t->outcome.verdict], ui_style(UI_PLAIN), cases, speed, points);
}

/* Lines as they are, further in. */
static void print_picture(const char *lines)
{
    while (*lines) {
        const int length = (int)strcspn(lines, "\n");
        printf("    %.*s\n", length, lines);
        lines += length + (lines[length] == '\n'); /* the last may have been cut */
    }
}

void grade_print_task(const struct task_result *t)
{
    bool good = t->outcome.verdict == VERDICT_PASS;
    bool waits = t->outcome.verdict == VERDICT_PENDING || t->outcome.verdict == VERDICT_NOISY ||
                 t->outcome.verdict == VERDICT_SKIPPED || t->outcome.verdict == VERDICT_ENVIRONMENT;
    char label[40] = "";
    ui_progress_part();
    ui_progress_end();
    print_row(t,
              good    ? UI_GOOD
              : waits ? UI_WARN
                      : UI_BAD,
              good    ? UI_YES
              : waits ? UI_WAITS
                      : UI_NO);
    if (t->pending > 0)
        snprintf(label, sizeof label, "%g points pending%s", t->pending,
                 t->outcome.reason[0] ? ": " : "");
    if (t->pending > 0 || t->outcome.reason[0])
        ui_paragraph(6, label, t->outcome.reason);
    if (t->outcome.hint[0])
        ui_paragraph(6, "hint: ", t->outcome.hint);
    print_picture(t->picture);
    if (t->reproduce[0]) /* to be copied: in one line */
        printf("      again: %s\n", t->reproduce);
    if (t->safety[0] && (good || waits) &&
        (strstr(t->safety, "unchecked") || strstr(t->safety, "not looked")))
        ui_paragraph(6, "safety: ", t->safety);
    print_traffic(&t->traffic);
    if (t->speed.measured && good)
        print_speed(&t->speed);
    if (good || waits)
        print_counters(&t->speed);
    fflush(stdout);
}

/* One next step: the first task that has no points yet, for a lab's later tasks build on its
 * earlier ones; else the task that has most to gain. */
static void print_next(const struct record *r)
{
    const struct task_result *next = NULL;
    double most = 0;
    for (int i = 0; i < r->n_tasks; i++) {
        const struct task_result *t = &r->tasks[i];
        const double lost = t->max_points - t->points;
        if (lost < 1e-9 || t->outcome.verdict == VERDICT_SKIPPED)
            continue;
        if (t->points <= 0 || lost > most + 1e-9) {
            next = t;
            most = lost;
        }
        if (t->points <= 0)
            break;
    }
    if (!next)
        return;
    most = fmax(most, 0.1); /* less is none in what is printed */
    if (next->outcome.verdict == VERDICT_PASS && next->speed.measured)
        printf("next: %s is right; %.1f points are in its speed:\n"
               "      ./hpclab profile %s --only %s\n",
               next->name, most, r->lab, next->name);
    else
        printf("next: %s, %.1f points to gain: ./hpclab explain %s/%s\n", next->name, most, r->lab,
               next->name);
}

/* Whether all that was selected is a sealed sheet, complete and kept. */
static bool waits_for_the_course(const struct record *r)
{
    int kept = 0;
    for (int i = 0; i < r->n_tasks; i++) {
        const struct task_result *t = &r->tasks[i];
        if (t->outcome.verdict == VERDICT_SKIPPED)
            continue;
        if (t->outcome.verdict != VERDICT_PENDING || !t->answers.sealed || !t->answers.versions)
            return false;
        kept++;
    }
    return kept > 0;
}

int grade_print_end(const struct record *r, const char *path)
{
    double score = record_score(r), most = record_max_score(r), pending = record_pending(r);
    double more = record_bonus(r);
    bool scored = most > 0; /* or a bonus alone was */
    for (int i = 0; i < r->n_tasks; i++)
        scored |= !verdict_waits(r->tasks[i].outcome.verdict) &&
                  r->tasks[i].outcome.verdict != VERDICT_SKIPPED;
    bool all = score - more >= most - 1e-9 && (most > 0 || score > 0);
    if (!scored && waits_for_the_course(r)) {
        fprintf(stderr, "hpclab: %g points of %s wait for the course, which marks sealed answers\n",
                pending, r->lab);
        return HPC_EXIT_ENVIRONMENT;
    }
    if (!scored) {
        fprintf(stderr, "hpclab: no task of %s could be scored here; the reasons stand above\n",
                r->lab);
        return HPC_EXIT_ENVIRONMENT;
    }
    printf("\n%sscore %s%.1f of %g%s", ui_style(UI_BOLD), ui_style(all ? UI_GOOD : UI_BAD),
           record_shown(score - more, most), most, ui_style(UI_PLAIN));
    if (more > 0)
        printf(" and %.1f bonus", more);
    if (pending > 0)
        printf("; %g more pending", pending);
    printf("   %s%s%s\n", ui_style(UI_DIM), path, ui_style(UI_PLAIN));
    if (!all)
        print_next(r);
    return all ? HPC_EXIT_OK : HPC_EXIT_BELOW;
}
