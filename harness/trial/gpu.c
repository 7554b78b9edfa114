/* What runners of ours find out about a GPU: whether it works, for one that hangs or that a kernel
 * broke fails whoever comes next; how long a copy takes; what its arithmetic does at most. */
#include <stdlib.h>

#include "common/stats.h"
#include "harness/trial/internal.h"

#define PROBE_SECONDS 10 /* for a driver to start, and a small kernel */
#define PEAK_CALLS    5

const struct peak trial_peaks[TRIAL_PEAKS] = {
    [TRIAL_COPY] = {"peak-copy", "-DPEAK_COPY_BYTES=268435456", NULL, 16 * 2 * 268435456.0},
    [TRIAL_FMA] = {"peak-fma", "-DPEAK_FMAS=141733920768", NULL, 2 * 141733920768.0},
    [TRIAL_TF32] = {"peak-tf32", "-DPEAK_TF32_WIDTH=8192", "-lcublas", 2.0 * 8192 * 8192 * 8192},
    [TRIAL_HALF] = {"peak-half", "-DPEAK_HALF_WIDTH=8192", "-lcublas", 2.0 * 8192 * 8192 * 8192},
};

bool trial_gpu_works(struct trial *t, uint64_t seed, struct outcome *o)
{
    struct build_result built;
    struct hpc_error err;
    struct case_try try = {.c = &t->project->lab->cases[t->task->cases[0]],
                           .built = &built,
                           .seed = seed,
                           .threads = t->threads,
                           .limits = t->limits,
                           .first = 1,
                           .calls = 1,
                           .unchecked = true};
    try.limits.wall_seconds = try.limits.cpu_seconds = PROBE_SECONDS;
    build_probe(t->project->root, t->op, &built);
    if (built.outcome.verdict != VERDICT_PASS || !try_ready(&try, &err))
        return true;
    try_calls(&try);
    *o = try.outcome;
    return try.n == 1 || (o->verdict != VERDICT_TIMEOUT && o->verdict != VERDICT_CRASH &&
                          o->verdict != VERDICT_ENVIRONMENT);
}

double trusted_seconds(struct trial *t, const struct build_result *built,
                       const struct case_try *like, int calls)
{
    if (built->outcome.verdict != VERDICT_PASS)
        return 0;
    double *seconds = hpc_calloc((size_t)calls, sizeof *seconds);
    struct case_try own = {.c = like->c,
                           .built = built,
                           .ready = like->ready,
                           .threads = t->threads,
                           .limits = t->limits,
                           .calls = calls,
                           .unchecked = true,
                           .seconds = seconds};
    try_calls(&own);
    double median = own.n == calls ? stats_median(seconds, calls) : 0;
    free(seconds);
    return median;
}

double trial_peak(struct trial *t, enum trial_peak which, const struct case_try *like)
{
    struct build_result built;
    build_peak(t->project->root, t->op, &trial_peaks[which], &built);
    const double seconds = trusted_seconds(t, &built, like, PEAK_CALLS);
    return seconds > 0 ? trial_peaks[which].work / seconds : 0;
}
