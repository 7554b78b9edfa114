/* lab3's prediction against a measurement: from which width on do two threads inside
 * back-propagation win? The student's own openmp_inner is timed against mlp/flat, on two threads
 * wherever it is graded.
 *
 * Every ratio depends on how far apart the two processors are at that moment. So the prediction
 * says for which distance it is made, and what is measured at another one is converted to that
 * (labs/lab3/marker/break_even_model.h). Where ratios differ too much even so, the points wait,
 * unless the machine kept its pace: then their median counts.
 *
 * The reference's prediction is a measurement of its own, made just before and marked against a
 * second one: full marks mean that the measurement repeats itself. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/defence.h"
#include "common/text.h"
#include "labs/lab3/marker/break_even_model.h"
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
    struct text seen = {0};
    for (int w = 0; w < BREAK_EVEN_WIDTHS; w++)
        text_add(&seen, "%s%.2f at %d", w ? ", " : "", c->at[w].mid, break_even_widths[w]);
    sheet_mark(sheet, key, break_even_credit(c->at, BREAK_EVEN_WIDTHS, answer), "",
               "measured %s; within 10%% of 1 is neither won nor lost", text_string(&seen));
    text_free(&seen);
}

/* Where the processors were `said` ns apart, for which the prediction is, and `here`, where it was
 * measured first. */
struct distances {
    double said, here;
    struct break_even_ratio at_said[BREAK_EVEN_WIDTHS], at_here[BREAK_EVEN_WIDTHS];
};

static void mark_speedup(struct sheet *sheet, const char *key, const struct distances *d, int w)
{
    const struct break_even_ratio *const r = &d->at_said[w];
    const double square = BREAK_EVEN_FACTOR * BREAK_EVEN_FACTOR;
    double value;
    sheet_chance(sheet, key, BREAK_EVEN_CHANCE);
    if (!sheet_number(sheet, key, &value) || !(value > 0))
        return;
    sheet_mark(sheet, key, break_even_speedup(r, &d->at_here[w], value, d->said, d->here),
               break_even_inverse(r, value)
                   ? "the inverse of what is right: how many times as slow, for as fast?"
               : value > 10 * r->high ? "a percentage for a ratio?"
                                      : "",
               "measured %.2f, from %.2f to %.2f; at %.0f ns %.2f, and yours would be %.2f; "
               "full marks within a factor of %g of both, half within %g",
               r->mid, r->low, r->high, d->here, d->at_here[w].mid,
               break_even_convert(value, d->said, d->here), BREAK_EVEN_FACTOR, square);
}

/* The distance that the prediction is for; 0 where it names none. */
static double predicted_distance(struct sheet *sheet)
{
    double ns;
    return sheet_number(sheet, "round_trip_ns", &ns) && ns >= NEAREST_NS && ns <= FARTHEST_NS ? ns
                                                                                              : 0;
}

static void list_ratios(struct sheet *sheet, const struct break_even_curve *c, double ns)
{
    for (int w = 0; w < BREAK_EVEN_WIDTHS; w++) {
        struct text all = {0};
        for (int i = 0; i < c->n; i++)
            text_add(&all, " %.2f at %.0f ns", c->ratio[w][i], c->ns[w][i]);
        sheet_note(sheet,
                   "measured: width %4d, %.2f times as fast as flat where a cache line takes %.0f "
                   "ns there and back;%s",
                   break_even_widths[w], c->at[w].mid, ns, text_string(&all));
        text_free(&all);
    }
}

/* A fault of the student's runner: nothing to mark against; one of the machine's: wait. */
static void end_unmeasured(struct sheet *sheet, const struct break_even *b)
{
    enum verdict verdict = b->outcome.verdict;
    if (verdict_waits(verdict) && verdict != VERDICT_IMPOSSIBLE)
        sheet_wait(sheet, verdict, b->outcome.reason);
    else
        sheet_fail(sheet, "fix %s first, the break-even is measured on it: %s: %s", TASK,
                   verdict_names[verdict], b->outcome.reason);
}

/* Ratios at all widths, converted to *ns; where that is 0, to the distance that was measured first,
 * which *ns gets. False when the sheet is ended. */
static bool measure(struct sheet *s, const struct marking *m, struct break_even_curve *c,
                    double *ns)
{
    const struct lab_task *task = lab_task_find(m->project->lab, TASK);
    if (!task || task->kind != TASK_VARIANT || !*task->baseline) {
        sheet_wait(s, VERDICT_ENVIRONMENT,
                   "lab.ini has no task " TASK " with a baseline to measure");
        return false;
    }
    if (machine_here()->cores < BREAK_EVEN_THREADS) {
        sheet_wait(s, VERDICT_PENDING,
                   "one core here: two threads can't win, measure on a machine with two");
        return false;
    }
    struct break_even b = {.trial = trial_open(m->project, task, m->implementation),
                           .seed = m->seed,
                           .quick = m->quick};
    bool good = break_even_measure(&b, c);
    *ns = *ns > 0 ? *ns : c->ns[0][0];
    good = good && break_even_at(&b, c, *ns);
    if (!good)
        end_unmeasured(s, &b);
    if (DEFENCE(flat_curve) && good && break_even_flat(c->at, BREAK_EVEN_WIDTHS)) {
        sheet_fail(s,
                   TASK " is as fast as flat at every width from %d to %d: there is no break-even "
                        "to predict; share the loops of all layers, narrow ones too",
                   break_even_widths[0], break_even_widths[BREAK_EVEN_WIDTHS - 1]);
        good = false;
    }
    trial_close(b.trial);
    return good;
}

static bool answer_break_even(struct sheet *s, const struct marking *m, FILE *f)
{
    struct break_even_curve c;
    double ns = 0;
    if (!measure(s, m, &c, &ns))
        return false;
    write_prediction(&c, ns, f);
    return true;
}

static void mark_break_even(struct sheet *s, const struct marking *m)
{
    struct break_even_curve c;
    struct break_even unsaid = {0};
    struct distances d = {.said = predicted_distance(s)};
    if (!measure(s, m, &c, &d.said))
        return;
    list_ratios(s, &c, d.said);
    mark_wins(s, &c);
    memcpy(d.at_said, c.at, sizeof d.at_said);
    d.here = c.ns[0][0];
    break_even_at(&unsaid, &c, d.here);
    memcpy(d.at_here, c.at, sizeof d.at_here);
    mark_speedup(s, "speedup_64", &d, 1);
    mark_speedup(s, "speedup_1024", &d, 3);
}

const struct marker lab3_markers[] = {{"break_even", answer_break_even, mark_break_even}, {0}};
