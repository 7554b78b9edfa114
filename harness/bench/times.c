/* How long a call takes, of one contestant, on one case, with so many threads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/interrupt.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/bench/internal.h"
#include "harness/lab/case.h"

#define SECONDS       0.4 /* of calls */
#define QUICK_SECONDS 0.1
#define LEAST         3 /* calls */
#define MOST          25

static enum build_kind plain_kind(const struct bench *b, const struct lab_task *task)
{
    return lab_task_cuda(task) && b->device == DEVICE_CUDA ? BUILD_CUDA : BUILD_PLAIN;
}

/* `calls` calls; false with *o. */
static bool call(struct bench *b, const struct contestant *w, const struct lab_case *c, int threads,
                 int calls, double *seconds, struct outcome *o)
{
    const struct build_result *built = trial_runner(w->trial, plain_kind(b, w->task));
    struct hpc_error err;
    if (built->outcome.verdict != VERDICT_PASS) {
        *o = built->outcome;
        return false;
    }
    struct case_try try = {.c = c,
                           .built = built,
                           .seed = b->seed,
                           .threads = threads,
                           .limits = w->trial->limits,
                           .first = 1,
                           .calls = calls,
                           .unchecked = !w->checked, /* a grading says whether it is right */
                           .seconds = seconds};
    if (!try_ready(&try, &err))
        return outcome_set(o, VERDICT_ENVIRONMENT, "%s", err.text);
    const bool good = try_calls(&try) && try.n == calls;
    *o = try.outcome;
    return good;
}

bool bench_time(struct bench *b, const struct contestant *w, const struct lab_case *c, int threads,
                struct stats_interval *seconds)
{
    double times[MOST];
    struct outcome o = {.verdict = VERDICT_PASS};
    bool good = call(b, w, c, threads, LEAST, times, &o);
    const double once = good ? stats_median(times, LEAST) : 1;
    const double wanted = (b->quick ? QUICK_SECONDS : SECONDS) / once;
    const int calls = (int)fmin(MOST, wanted);
    int n = LEAST;
    if (good && calls > LEAST) {
        good = call(b, w, c, threads, calls, times, &o);
        n = calls;
    }
    if (good) /* the first call of a process is slower: its pages are new */
        *seconds = stats_bootstrap_median(times + 1, n - 1, 0.95, 1000, b->seed);
    hpc_harmless(o.reason);
    if (!good && !hpc_interrupted()) {
        ui_progress_end();
        printf("  left out: %s: %s: %s\n", w->name, verdict_names[o.verdict], o.reason);
    }
    return good;
}

bool bench_right(struct bench *b, const struct contestant *w, const struct lab_case *c)
{
    struct contestant checked = *w;
    struct outcome o = {.verdict = VERDICT_PASS};
    double seconds;
    checked.checked = true;
    return call(b, &checked, c, w->trial->threads, 1, &seconds, &o) ||
           o.verdict == VERDICT_ENVIRONMENT || hpc_interrupted();
}

FILE *bench_table(const struct bench *b, const char *name, const char *head, struct hpc_error *err)
{
    char *path = hpc_printf("%s/%s.csv", b->folder, name);
    FILE *f = fopen(path, "we");
    if (f) {
        setvbuf(f, NULL, _IOLBF, 0); /* each line as it comes */
        fprintf(f, "%s\n", head);
    } else {
        hpc_fail_env(err, "cannot write %s", path);
    }
    free(path);
    return f;
}

bool bench_case(const struct bench *b, const struct lab_case *from, const char *key,
                const char *value, int threads, struct lab_case *c)
{
    struct ready_case ready;
    struct hpc_error err;
    *c = *from;
    return case_set(c, key, value, "bench", &err) && case_ready(c, b->seed, threads, &ready, &err);
}

double bench_value(const struct bench *b, const struct lab_case *c, const char *key)
{
    struct ready_case ready;
    struct hpc_error err;
    if (!key || !case_ready(c, b->seed, 1, &ready, &err))
        return 0;
    const struct hpc_param *p = hpc_params_find(&ready.params, key);
    return p ? strtod(p->value, NULL) : 0;
}

bool bench_timed(const struct bench *b, const struct lab_task *task)
{
    return !lab_task_cuda(task) || b->device == DEVICE_CUDA;
}

const struct lab_case *bench_usual(const struct bench *b, const struct lab_task *task)
{
    int at = bench_timed(b, task) ? task->speed_case : task->traffic_case;
    at = at >= 0 ? at : task->traffic_case;
    if (at < 0 && !task->op->ranks)
        at = task->threads_case; /* of a .c that has no points for speed */
    return at >= 0 ? &b->project->lab->cases[at] : NULL;
}
