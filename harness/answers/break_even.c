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
#include <unistd.h>

#include "harness/answers/sheet.h"
#include "harness/answers/break_even_model.h"
#include "harness/lab/case.h"
#include "common/command.h"
#include "harness/machine/machine.h"
#include "common/scratch.h"

#define TASK        "openmp_inner"
#define NEAREST_NS  20.0 /* distances that a prediction may name */
#define FARTHEST_NS 2000.0

static bool write_prediction(const struct break_even_curve *c, double ns, const char *path,
                             struct hpc_error *err)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return hpc_fail_env(err, "cannot write %s", path);
    int w = 0;
    while (w < BREAK_EVEN_WIDTHS && c->at[w].mid < 1)
        w++;
    fprintf(f, "[answers]\nround_trip_ns = %.0f\n", ns);
    if (w < BREAK_EVEN_WIDTHS)
        fprintf(f, "wins_from = %d\n", break_even_widths[w]);
    else
        fprintf(f, "wins_from = never\n");
    fprintf(f, "speedup_64 = %.3f\nspeedup_1024 = %.3f\n", c->at[1].mid, c->at[3].mid);
    return fclose(f) == 0 || hpc_fail_env(err, "cannot write %s", path);
}

static void mark_wins(struct sheet *sheet, const struct break_even_curve *c)
{
    static const char key[] = "wins_from";
    const char *text = sheet_text(sheet, key);
    double value;
    int answer = -1;
    if (!strcasecmp(text, "never"))
        answer = BREAK_EVEN_WIDTHS;
    for (int w = 0; w < BREAK_EVEN_WIDTHS && sheet_number(sheet, key, &value); w++)
        if (value == break_even_widths[w])
            answer = w;
    if (answer < 0) {
        sheet_mark(sheet, key, 0, "expected 16, 64, 256, 1024 or never");
        return;
    }
    char seen[160] = "";
    for (int w = 0; w < BREAK_EVEN_WIDTHS; w++)
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s%.2f at %d", w ? ", " : "",
                 c->at[w].mid, break_even_widths[w]);
    sheet_mark(sheet, key, break_even_credit(c->at, BREAK_EVEN_WIDTHS, answer),
               "measured %s; within 10%% of 1 is neither won nor lost", seen);
}

static void mark_speedup(struct sheet *sheet, const char *key, const struct break_even_ratio *r)
{
    double value;
    if (!sheet_number(sheet, key, &value) || value <= 0) {
        sheet_mark(sheet, key, 0, "expected a number above 0");
        return;
    }
    double factor = break_even_factor(r, value);
    sheet_mark(sheet, key,
               factor <= BREAK_EVEN_FACTOR                       ? 1
               : factor <= BREAK_EVEN_FACTOR * BREAK_EVEN_FACTOR ? 0.5
                                                                 : 0,
               "measured %.2f, from %.2f to %.2f; full marks within a factor of %g, half within %g",
               r->mid, r->low, r->high, BREAK_EVEN_FACTOR, BREAK_EVEN_FACTOR * BREAK_EVEN_FACTOR);
}

/* The distance that the prediction is for; where it names none, the one that was measured. */
static double predicted_distance(struct sheet *sheet, const struct break_even_curve *c)
{
    double ns;
    return sheet_number(sheet, "round_trip_ns", &ns) && ns >= NEAREST_NS && ns <= FARTHEST_NS
               ? ns
               : c->ns[0][0];
}

static void list_ratios(const struct sheet *sheet, const struct break_even_curve *c, double ns)
{
    if (!sheet->marks)
        return;
    for (int w = 0; w < BREAK_EVEN_WIDTHS; w++) {
        fprintf(sheet->marks,
                "measured: width %4d, %.2f times as fast as flat where a cache line "
                "takes %.0f ns there and back;",
                break_even_widths[w], c->at[w].mid, ns);
        for (int i = 0; i < c->n; i++)
            fprintf(sheet->marks, " %.2f at %.0f ns", c->ratio[w][i], c->ns[w][i]);
        fprintf(sheet->marks, "\n");
    }
}

static bool has_answer(const struct sheet *sheet)
{
    return *sheet_text(sheet, "wins_from") || *sheet_text(sheet, "speedup_64") ||
           *sheet_text(sheet, "speedup_1024");
}

/* A fault of the student's runner: nothing to mark against; one of the machine's: wait. */
static void end_unmeasured(const struct marking *m, const struct break_even *s,
                           struct task_result *result)
{
    if (verdict_waits(s->verdict) && s->verdict != VERDICT_IMPOSSIBLE)
        sheet_pending(m->task, result, s->verdict, s->reason);
    else
        sheet_nothing(result, "fix %s first, the break-even is measured on it: %s: %.250s", TASK,
                      verdict_names[s->verdict], s->reason);
}

static void mark_sheet(const struct marking *m, struct break_even *s, struct sheet *sheet,
                       struct task_result *result)
{
    struct break_even_curve c;
    if (!has_answer(sheet)) {
        sheet_abandon(sheet, "%s is empty: predict first, then measure", sheet->name);
        return;
    }
    bool good = break_even_measure(s, &c);
    if (good) {
        double ns = predicted_distance(sheet, &c);
        good = break_even_at(s, &c, ns);
        list_ratios(sheet, &c, ns);
    }
    if (good) {
        mark_wins(sheet, &c);
        mark_speedup(sheet, "speedup_64", &c.at[1]);
        mark_speedup(sheet, "speedup_1024", &c.at[3]);
        sheet_close(sheet, m->task);
    } else {
        sheet_abandon(sheet, "%s", s->reason);
        end_unmeasured(m, s, result);
    }
}

/* The reference's prediction, into `path`. */
static bool predict(struct break_even *s, const char *folder, const char *path)
{
    struct hpc_error err;
    struct break_even_curve c;
    if (!break_even_measure(s, &c) || !break_even_at(s, &c, c.ns[0][0]))
        return false;
    return (folder_make(folder, &err) && write_prediction(&c, c.ns[0][0], path, &err)) ||
           break_even_fail(s, VERDICT_ENVIRONMENT, err.text);
}

/* Both runners; false with the verdict and reason of the one that is not to be had. */
static bool build_both(const struct marking *m, struct break_even *s)
{
    struct hpc_error err;
    build_task(s->root, m->lab, s->task, m->implementation, BUILD_PLAIN, &s->runner);
    if (s->runner.verdict != VERDICT_PASS)
        return break_even_fail(s, s->runner.verdict, s->runner.reason);
    return build_catalogue(s->root, s->task->baseline, BUILD_PLAIN, &s->baseline, &err) ||
           break_even_fail(s, VERDICT_ENVIRONMENT, err.text);
}

static void measure_and_mark(const struct marking *m, struct break_even *s,
                             struct task_result *result)
{
    bool reference = !strcmp(m->implementation, "reference");
    char *folder = scratch_name(m->root, "break-even");
    char *path = reference ? hpc_printf("%s/prediction.ini", folder)
                           : hpc_printf("%s/labs/%s/%s", m->root, m->lab->name, m->task->file);
    struct sheet sheet;
    if (!build_both(m, s) || (reference && !predict(s, folder, path)))
        end_unmeasured(m, s, result);
    else if (sheet_open(&sheet, m, path, result))
        mark_sheet(m, s, &sheet, result);
    folder_remove(folder);
    free(path);
    free(folder);
}

void mark_break_even(const struct marking *m, struct task_result *result)
{
    const struct lab_task *task = lab_task_find(m->lab, TASK);
    struct break_even s = {.root = m->root, .task = task, .seed = m->seed, .quick = m->quick};
    if (!task || task->kind != TASK_VARIANT || !*task->baseline)
        sheet_pending(m->task, result, VERDICT_ENVIRONMENT,
                      "lab.ini has no task " TASK " with a baseline to measure");
    else if (machine_here()->cores < BREAK_EVEN_THREADS)
        sheet_pending(m->task, result, VERDICT_PENDING,
                      "one core here: two threads can't win, measure on a machine with two");
    else
        measure_and_mark(m, &s, result);
}
