/* A grading as `./grade` prints it. */
#include "harness/verbs/grade_print.h"

#include <stdio.h>
#include <string.h>

#include "harness/record/score.h"
#include "common/ui.h"

void grade_print_head(const struct record *r, const struct lab *lab)
{
    printf("%s%s  %s%s\n", ui_style(UI_BOLD), lab->name, lab->title, ui_style(UI_PLAIN));
    printf("%s%s, hpclab %s, %s, jail: %s, seed %llu%s\n\n", ui_style(UI_DIM), r->implementation,
           r->version, r->device, r->jail, (unsigned long long)r->seed,
           r->official ? ", official"
           : r->quick  ? ", quick: provisional"
                       : ", provisional");
    printf("  %-24s %-12s %-9s %-28s %9s%s\n", "task", "verdict", "cases",
           "speed [95%] of full marks", "points", ui_style(UI_PLAIN));
    fflush(stdout);
}

static void speed_text(const struct task_speed *s, char *text, size_t size)
{
    if (s->measured && s->of_copy)
        snprintf(text, size, "%.0f%% [%.0f, %.0f] of %.0f%% of a copy", 100 * s->ratio.value,
                 100 * s->ratio.low, 100 * s->ratio.high, 100 * s->target);
    else if (s->measured)
        snprintf(text, size, "%.2fx [%.2f, %.2f] of %.2fx", s->ratio.value, s->ratio.low,
                 s->ratio.high, s->target);
    else
        snprintf(text, size, "-");
}

static void print_traffic(const struct task_traffic *t)
{
    for (int i = 0; t->measured && i < t->n; i++)
        printf("      %s%s %s: %.4g, %s %.4g asked for (case %s)%s\n", ui_style(UI_DIM),
               t->mark[i].met ? ui_tick() : ui_cross(), t->mark[i].bound.quantity,
               t->mark[i].measured, t->mark[i].bound.at_least ? "at least" : "at most",
               t->mark[i].bound.bound, t->case_name, ui_style(UI_PLAIN));
}

void grade_print_task(const struct task_result *t)
{
    char speed[80], cases[24] = "-", points[32];
    bool good = t->verdict == VERDICT_PASS;
    bool waits = t->verdict == VERDICT_PENDING || t->verdict == VERDICT_NOISY ||
                 t->verdict == VERDICT_SKIPPED || t->verdict == VERDICT_ENVIRONMENT;
    enum ui_style style = good ? UI_GOOD : waits ? UI_WARN : UI_BAD;
    speed_text(&t->speed, speed, sizeof speed);
    if (t->correctness.cases)
        snprintf(cases, sizeof cases, "%d/%d", t->correctness.passed, t->correctness.cases);
    if (t->max_points > 0 || t->pending > 0 || t->verdict == VERDICT_SKIPPED)
        snprintf(points, sizeof points, "%.1f/%g", t->points, t->max_points);
    else
        snprintf(points, sizeof points, "+%.1f", t->points); /* a bonus */
    ui_progress_end();
    printf("  %-24s %s%s %-10s%s %-9s %-28s %9s", t->name, ui_style(style),
           good    ? ui_tick()
           : waits ? "-"
                   : ui_cross(),
           verdict_names[t->verdict], ui_style(UI_PLAIN), cases, speed, points);
    if (t->pending > 0)
        printf("  (%g pending)", t->pending);
    putchar('\n');
    if (t->reason[0] && t->verdict != VERDICT_SKIPPED)
        printf("      %s\n", t->reason);
    if (t->hint[0])
        printf("      %shint:%s %s\n", ui_style(UI_BOLD), ui_style(UI_PLAIN), t->hint);
    if (t->reproduce[0])
        printf("      again: %s\n", t->reproduce);
    if (t->safety[0] && good && strstr(t->safety, "unchecked"))
        printf("      %ssafety: %s%s\n", ui_style(UI_DIM), t->safety, ui_style(UI_PLAIN));
    print_traffic(&t->traffic);
    if (t->speed.measured && good) {
        char explained[120];
        if (t->speed.of_copy)
            score_share_explain(t->speed.target, explained, sizeof explained);
        else
            score_explain(t->speed.target, explained, sizeof explained);
        printf("      %sspeed points: %s (%s)%s\n", ui_style(UI_DIM), explained,
               t->speed.target_source, ui_style(UI_PLAIN));
    }
    fflush(stdout);
}

int grade_print_end(const struct record *r, const char *path)
{
    double score = record_score(r), most = record_max_score(r), pending = record_pending(r);
    bool scored = most > 0; /* or a bonus alone was */
    for (int i = 0; i < r->n_tasks; i++)
        scored |= !verdict_waits(r->tasks[i].verdict) && r->tasks[i].verdict != VERDICT_SKIPPED;
    bool all = score >= most - 1e-9 && (most > 0 || score > 0);
    if (!scored) {
        fprintf(stderr, "hpclab: no task of %s could be scored here; the reasons stand above\n",
                r->lab);
        return HPC_EXIT_ENVIRONMENT;
    }
    printf("\n%sscore %s%.1f of %g%s", ui_style(UI_BOLD), ui_style(all ? UI_GOOD : UI_BAD), score,
           most, ui_style(UI_PLAIN));
    if (pending > 0)
        printf(", %g pending", pending);
    printf("   %s%s%s\n", ui_style(UI_DIM), path, ui_style(UI_PLAIN));
    if (!all)
        printf("./hpclab explain TASK says what a verdict means and what to try\n");
    return all ? HPC_EXIT_OK : HPC_EXIT_BELOW;
}
