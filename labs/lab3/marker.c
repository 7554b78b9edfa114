/* lab3's prediction against a measurement: from which width on do two threads inside
 * back-propagation win? The student's own openmp_inner is timed against mlp/flat, on two threads
 * wherever it is graded.
 *
 * Every ratio depends on how far apart the two processors are at that moment. So the prediction
 * says for which distance it is made, and what is measured at another one is converted to that
 * (harness/answers/break_even_model.h). Where ratios differ too much even so, the points wait.
 *
 * The reference's prediction is a measurement of its own, made just before and marked against a
 * second one: full marks mean that the measurement repeats itself. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/answers/break_even_model.h"
#include "harness/answers/marker.h"
#include "harness/machine/machine.h"

#define TASK        "openmp_inner"
#define NEAREST_NS  20.0 /* distances that a prediction may name */
#define FARTHEST_NS 2000.0

static void write_prediction(const struct break_even_curve *c, double ns, FILE *f)
{
    int w = 0;
    while (w < BREAK_EVEN_WIDTHS && c->at[w].mid < 1)
        w++;
    fprintf(f, "round_trip_ns = %.0f\n", ns);
    if (w < BREAK_EVEN_WIDTHS)
        fprintf(f, "wins_from = %d\n", break_even_widths[w]);
    else
        fprintf(f, "wins_from = never\n");
    fprintf(f, "speedup_64 = %.3f\nspeedup_1024 = %.3f\n", c->at[1].mid, c->at[3].mid);
}

static void mark_wins(struct sheet *sheet, const struct break_even_curve *c)
{
    static const char key[] = "wins_from";
    const char *text = sheet_text(sheet, key);
    int answer = BREAK_EVEN_WIDTHS; /* never */
    for (int w = 0; w < BREAK_EVEN_WIDTHS; w++)
        if (strtol(text, NULL, 10) == break_even_widths[w])
            answer = w;
    char seen[160] = "";
    for (int w = 0; w < BREAK_EVEN_WIDTHS; w++)
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s%.2f at %d", w ? ", " : "",
                 c->at[w].mid, break_even_widths[w]);
    sheet_mark(sheet, key, break_even_credit(c->at, BREAK_EVEN_WIDTHS, answer), "",
               "measured %s; within 10%% of 1 is neither won nor lost", seen);
}

static void mark_speedup(struct sheet *sheet, const char *key, const struct break_even_ratio *r)
{
    double value;
    if (!sheet_number(sheet, key, &value) || !(value > 0))
        return;
    const double factor = break_even_factor(r, value),
                 square = BREAK_EVEN_FACTOR * BREAK_EVEN_FACTOR;
    sheet_mark(sheet, key,
               factor <= BREAK_EVEN_FACTOR ? 1
               : factor <= square          ? 0.5
                                           : 0,
               value > 10 * r->high ? "a percentage for a ratio?" : "",
               "measured %.2f, from %.2f to %.2f; full marks within a factor of %g, half within %g",
               r->mid, r->low, r->high, BREAK_EVEN_FACTOR, square);
}

/* The distance that the prediction is for; where it names none, the one that was measured. */
static double predicted_distance(struct sheet *sheet, const struct break_even_curve *c)
{
    double ns;
    return sheet_number(sheet, "round_trip_ns", &ns) && ns >= NEAREST_NS && ns <= FARTHEST_NS
               ? ns
               : c->ns[0][0];
}

static void list_ratios(struct sheet *sheet, const struct break_even_curve *c, double ns)
{
    for (int w = 0; w < BREAK_EVEN_WIDTHS; w++) {
        char all[200] = "";
        for (int i = 0; i < c->n; i++) {
            size_t at = strlen(all);
            snprintf(all + at, sizeof all - at, " %.2f at %.0f ns", c->ratio[w][i], c->ns[w][i]);
        }
        sheet_note(sheet,
                   "measured: width %4d, %.2f times as fast as flat where a cache line takes %.0f "
                   "ns there and back;%s",
                   break_even_widths[w], c->at[w].mid, ns, all);
    }
}

/* A fault of the student's runner: nothing to mark against; one of the machine's: wait. */
static void end_unmeasured(struct sheet *sheet, const struct break_even *b)
{
    if (verdict_waits(b->verdict) && b->verdict != VERDICT_IMPOSSIBLE)
        sheet_wait(sheet, b->verdict, b->reason);
    else
        sheet_fail(sheet, "fix %s first, the break-even is measured on it: %s: %.250s", TASK,
                   verdict_names[b->verdict], b->reason);
}

/* Both runners; false with the verdict and reason of the one that is not to be had. */
static bool build_both(const struct marking *m, struct break_even *b)
{
    struct hpc_error err;
    build_task(m->project, b->task, m->implementation, BUILD_PLAIN, &b->runner);
    if (b->runner.outcome.verdict != VERDICT_PASS)
        return break_even_fail(b, b->runner.outcome.verdict, b->runner.outcome.reason);
    return build_catalogue(m->project, b->task->baseline, BUILD_PLAIN, &b->baseline, &err) ||
           break_even_fail(b, VERDICT_ENVIRONMENT, err.text);
}

/* Ratios at all widths, for the distance that was measured first. */
static bool measure(struct sheet *s, const struct marking *m, struct break_even_curve *c,
                    struct break_even *b)
{
    const struct lab_task *task = lab_task_find(m->project->lab, TASK);
    *b = (struct break_even){.task = task, .seed = m->seed, .quick = m->quick};
    if (!task || task->kind != TASK_VARIANT || !*task->baseline)
        sheet_wait(s, VERDICT_ENVIRONMENT,
                   "lab.ini has no task " TASK " with a baseline to measure");
    else if (machine_here()->cores < BREAK_EVEN_THREADS)
        sheet_wait(s, VERDICT_PENDING,
                   "one core here: two threads can't win, measure on a machine with two");
    else if (build_both(m, b) && break_even_measure(b, c))
        return true;
    else
        end_unmeasured(s, b);
    return false;
}

static bool answer_break_even(struct sheet *s, const struct marking *m, FILE *f)
{
    struct break_even b;
    struct break_even_curve c;
    if (!measure(s, m, &c, &b))
        return false;
    if (!break_even_at(&b, &c, c.ns[0][0])) {
        end_unmeasured(s, &b);
        return false;
    }
    write_prediction(&c, c.ns[0][0], f);
    return true;
}

static void mark_break_even(struct sheet *s, const struct marking *m)
{
    struct break_even b;
    struct break_even_curve c;
    if (!measure(s, m, &c, &b))
        return;
    const double ns = predicted_distance(s, &c);
    if (!break_even_at(&b, &c, ns)) {
        end_unmeasured(s, &b);
        return;
    }
    list_ratios(s, &c, ns);
    mark_wins(s, &c);
    mark_speedup(s, "speedup_64", &c.at[1]);
    mark_speedup(s, "speedup_1024", &c.at[3]);
}

const struct marker lab3_markers[] = {{"break_even", answer_break_even, mark_break_even}, {0}};
