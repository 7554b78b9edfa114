/* lab3's prediction against a measurement: from which width on do parallel loops inside
 * back-propagation pay? The student's own openmp_inner is timed against mlp/flat at WIDTHS, in
 * pairs, and the width at which the ratio passes 1 is interpolated on logarithmic axes.
 *
 * A prediction is right within a factor: it is a prediction, and the crossing moves with the
 * machine's mood. The reference's prediction is a measurement of its own, made just before and
 * marked against a second one: full marks mean that the measurement repeats itself. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/answers.h"
#include "harness/build_task.h"
#include "harness/case.h"
#include "harness/command.h"
#include "harness/measure.h"
#include "mlp/mlp.h"

#define TASK       "openmp_inner"
#define MOST_NOISE 0.3 /* of the baseline against itself */

enum { N_WIDTHS = 5 };
static const int widths[N_WIDTHS] = {64, 128, 256, 512, 1024};

struct crossing {
    double ratio[N_WIDTHS]; /* flat's time over openmp_inner's */
    double width;           /* where it passes 1; half the first or twice the last width if never */
};

double break_even_width(const double *ratio, const int *width, int n)
{
    int last = n - 1;
    if (ratio[last] < 1)
        return 2.0 * width[last];
    while (last >= 0 && ratio[last] >= 1)
        last--;
    if (last < 0)
        return 0.5 * width[0];
    double t = log(1 / ratio[last]) / log(ratio[last + 1] / ratio[last]);
    return width[last] * pow((double)width[last + 1] / width[last], t);
}

/* A call takes flat about 10 to 30 ms at every width: 12 W^2 FLOP an update. */
static bool ready_width(const struct lab_task *task, int width, uint64_t seed,
                        struct ready_case *ready, struct hpc_error *err)
{
    struct lab_case c = {.op = task->op};
    char words[4][80];
    int samples = 3 * (1024 / width) * (1024 / width);
    snprintf(c.name, sizeof c.name, "width%d", width);
    snprintf(words[0], sizeof words[0], "layers=%d,%d,%d,1", width, width, width);
    snprintf(words[1], sizeof words[1], "samples=%d", samples > 600 ? 600 : samples);
    snprintf(words[2], sizeof words[2], "activations=tanh,tanh,sigmoid");
    snprintf(words[3], sizeof words[3], "rate=0.001");
    for (int i = 0; i < 4; i++)
        if (!hpc_params_set_word(&c.params, words[i], "break_even", err))
            return false;
    return case_ready(&c, seed, task_threads(task), ready, err);
}

/* Threads that wait for each other suffer most from other programs: the machine's word on it. */
static bool quiet(const struct measure_result *result, enum verdict *verdict, char *reason,
                  int reason_size)
{
    struct machine_load load;
    int cores = machine_here()->cores;
    machine_load_read(&load);
    if (result->noise <= MOST_NOISE && load.load1 <= cores + 2)
        return true;
    *verdict = VERDICT_NOISY;
    snprintf(reason, (size_t)reason_size,
             "flat against itself differs by %.0f%%, the load is %.1f on %d cores: close other "
             "programs and grade again",
             100 * result->noise, load.load1, cores);
    return false;
}

/* Time both at all widths. False with a verdict and a reason when a call fails. */
static bool measure(const struct marking *m, const struct lab_task *task, const char *runner,
                    const char *baseline, int pairs, struct crossing *x, enum verdict *verdict,
                    char *reason, int reason_size)
{
    for (int i = 0; i < N_WIDTHS; i++) {
        struct ready_case ready;
        struct hpc_error err;
        char label[40];
        snprintf(label, sizeof label, "break_even: width %d", widths[i]);
        if (!ready_width(task, widths[i], m->seed + (uint64_t)pairs, &ready, &err)) {
            *verdict = VERDICT_ENVIRONMENT;
            snprintf(reason, (size_t)reason_size, "%.300s", err.text);
            return false;
        }
        struct hpc_env env = {task_threads(task), machine_here()->simd, NULL};
        struct measure_spec spec = {
            .op = task->op,
            .seed = ready.seed,
            .student = {runner, env, task->limits, DEVICE_HOST, ready.problem},
            .baseline = {baseline, env, task->limits, DEVICE_HOST, ready.problem},
            .pairs = pairs,
            .check = true,
            .trusted = true, /* a little noise moves the crossing little: factors are marked */
            .label = label,
        };
        struct measure_result *result = hpc_calloc(1, sizeof *result);
        measure_pairs(&spec, result);
        *verdict = result->verdict;
        snprintf(reason, (size_t)reason_size, "%s", result->reason);
        x->ratio[i] = result->speed.ratio.value;
        bool good = result->speed.measured && result->verdict == VERDICT_PASS &&
                    quiet(result, verdict, reason, reason_size);
        free(result);
        if (!good)
            return false;
    }
    x->width = break_even_width(x->ratio, widths, N_WIDTHS);
    return true;
}

static bool write_prediction(const struct crossing *x, const char *path, struct hpc_error *err)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return hpc_fail_env(err, "cannot write %s", path);
    fprintf(f, "[answers]\nbreak_even_width = %.0f\nspeedup_64 = %.3f\nspeedup_1024 = %.3f\n",
            x->width, x->ratio[0], x->ratio[N_WIDTHS - 1]);
    return fclose(f) == 0 || hpc_fail_env(err, "cannot write %s", path);
}

/* Full marks within a factor `full` of what was measured, half within `half`. */
static void mark_factor(struct sheet *s, const char *key, double measured, double full, double half,
                        const char *note)
{
    double value;
    if (!sheet_number(s, key, &value) || value <= 0) {
        sheet_mark(s, key, 0, "expected a number above 0");
        return;
    }
    double factor = exp(fabs(log(value / measured)));
    sheet_mark(s, key,
               factor <= full   ? 1
               : factor <= half ? 0.5
                                : 0,
               "measured %.3g%s; full marks within a factor of %g, half within %g", measured, note,
               full, half);
}

static void mark_all(struct sheet *s, const struct crossing *x)
{
    double first = 0.5 * widths[0], last = 2.0 * widths[N_WIDTHS - 1];
    mark_factor(s, "break_even_width", x->width, 2, 4,
                x->width >= last    ? ", for it never wins up to 1024"
                : x->width <= first ? ", for it wins at 64 already"
                                    : "");
    mark_factor(s, "speedup_64", x->ratio[0], 2, 4, "");
    mark_factor(s, "speedup_1024", x->ratio[N_WIDTHS - 1], 1.5, 2.25, "");
    if (s->marks)
        for (int i = 0; i < N_WIDTHS; i++)
            fprintf(s->marks, "measured: width %4d, %.2f times as fast as flat\n", widths[i],
                    x->ratio[i]);
}

static bool has_answer(const struct sheet *s)
{
    return *sheet_text(s, "break_even_width") || *sheet_text(s, "speedup_64") ||
           *sheet_text(s, "speedup_1024");
}

/* A fault of the student's runner: nothing to mark against; one of the machine's: wait. */
static void end_unmeasured(const struct marking *m, struct task_result *result,
                           enum verdict verdict, const char *reason)
{
    if (verdict == VERDICT_ENVIRONMENT || verdict == VERDICT_PENDING ||
        verdict == VERDICT_SKIPPED || verdict == VERDICT_NOISY)
        sheet_pending(m->task, result, verdict, reason);
    else
        sheet_nothing(result, "fix %s first, the break-even is measured on it: %s: %.250s", TASK,
                      verdict_names[verdict], reason);
}

/* Both runners' paths; false with *result ended when one of them is not to be had. */
static bool build_both(const struct marking *m, const struct lab_task *task,
                       struct build_result *runner, struct build_result *baseline,
                       struct task_result *result)
{
    struct hpc_error err;
    build_task(m->root, m->lab, task, m->implementation, BUILD_PLAIN, runner);
    if (runner->verdict != VERDICT_PASS) {
        end_unmeasured(m, result, runner->verdict, runner->reason);
        return false;
    }
    if (!build_catalogue(m->root, task->baseline, BUILD_PLAIN, baseline, &err)) {
        sheet_pending(m->task, result, VERDICT_ENVIRONMENT, err.text);
        return false;
    }
    return true;
}

static void measure_and_mark(const struct marking *m, const struct lab_task *task,
                             struct task_result *result)
{
    bool reference = !strcmp(m->implementation, "reference");
    char *folder = hpc_printf("%s/build/tmp/break-even-%ld", m->root, (long)getpid());
    char *path = reference ? hpc_printf("%s/prediction.ini", folder)
                           : hpc_printf("%s/labs/%s/%s", m->root, m->lab->name, m->task->file);
    struct build_result runner, baseline;
    struct crossing x;
    struct sheet s;
    struct hpc_error err;
    enum verdict verdict = VERDICT_PASS;
    char reason[400] = "";
    int pairs = m->quick ? 2 : 4;
    bool good = build_both(m, task, &runner, &baseline, result);
    if (good && reference) {
        good = measure(m, task, runner.output, baseline.output, pairs + 1, &x, &verdict, reason,
                       sizeof reason);
        if (!good)
            end_unmeasured(m, result, verdict, reason);
        else if (!folder_make(folder, &err) || !write_prediction(&x, path, &err)) {
            good = false;
            sheet_pending(m->task, result, VERDICT_ENVIRONMENT, err.text);
        }
    }
    if (good && sheet_open(&s, m, path, result)) {
        if (!has_answer(&s)) {
            sheet_abandon(&s, "%s is empty: predict first, then measure", s.name);
        } else if (measure(m, task, runner.output, baseline.output, pairs, &x, &verdict, reason,
                           sizeof reason)) {
            mark_all(&s, &x);
            sheet_close(&s, m->task);
        } else {
            sheet_abandon(&s, "%s", reason);
            end_unmeasured(m, result, verdict, reason);
        }
    }
    folder_remove(folder);
    free(path);
    free(folder);
}

void mark_break_even(const struct marking *m, struct task_result *result)
{
    const struct lab_task *task = lab_task_find(m->lab, TASK);
    if (!task || task->kind != TASK_VARIANT || !*task->baseline)
        sheet_pending(m->task, result, VERDICT_ENVIRONMENT,
                      "lab.ini has no task " TASK " with a baseline to measure");
    else if (task_threads(task) < 2)
        sheet_pending(m->task, result, VERDICT_PENDING,
                      "one core here: two threads can't win, measure on a machine with two");
    else
        measure_and_mark(m, task, result);
}
