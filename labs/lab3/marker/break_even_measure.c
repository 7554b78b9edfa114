/* Two threads' openmp_inner against flat, ratio by ratio.
 *
 * What two threads cost each other is the travelling of cache lines, and on a virtual machine the
 * host moves processors about: 45, 130 or 540 ns for a line there and back were seen on one machine
 * within a minute, with ratios of 0.80, 1.03 and 0.36 at width 64. At one distance, ratios repeat
 * themselves within some percent. So the distance is measured before and after each ratio. */
#define _GNU_SOURCE
#include "labs/lab3/marker/break_even_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/defence.h"
#include "harness/machine/distance.h"
#include "harness/measure/noise.h"

#define CALLS      5 /* a block */
#define WIDE_CALLS 3 /* at width 1024, where flushing and comparing takes longer than a call */
#define MOST_UNITS (64 * 600) /* samples * width */
#define QUICK      2          /* ratios a width */
#define TRIES      16         /* ratios that are thrown away, in all */
#define PAUSE_US   200000     /* after each of these, for what disturbed it to pass */

const int break_even_widths[BREAK_EVEN_WIDTHS] = {16, 64, 256, 1024};

/* A call takes flat about 1 to 10 ms: 12 W^2 FLOP an update. */
static bool width_case(struct break_even *s, int width, struct lab_case *c)
{
    struct hpc_error err;
    char words[4][80];
    int samples = 3 * (1024 / width) * (1024 / width), most = MOST_UNITS / width;
    *c = (struct lab_case){.op = s->trial->op};
    snprintf(c->name, sizeof c->name, "width%d", width);
    snprintf(words[0], sizeof words[0], "layers=%d,%d,%d,1", width, width, width);
    snprintf(words[1], sizeof words[1], "samples=%d", samples > most ? most : samples);
    snprintf(words[2], sizeof words[2], "activations=tanh,tanh,sigmoid");
    snprintf(words[3], sizeof words[3], "rate=0.001");
    bool good = true;
    for (int i = 0; good && i < 4; i++)
        good = hpc_params_set_word(&c->params, words[i], "break_even", &err);
    return good || outcome_set(&s->outcome, VERDICT_ENVIRONMENT, "%s", err.text);
}

/* One pair of blocks at widths[w], into the curve's ratio i: with flat's time, and how far apart
 * the processors were. *steady is false where that changed meanwhile, or others had the processors.
 */
static bool one_ratio(struct break_even *s, int w, int i, struct break_even_curve *to, bool *steady)
{
    const int width = break_even_widths[w];
    struct lab_case c;
    char label[40];
    if (!width_case(s, width, &c))
        return false;
    snprintf(label, sizeof label, "break_even: width %d", width);
    s->trial->threads = BREAK_EVEN_THREADS;
    struct timing_spec timing = {.label = label,
                                 .seed = s->seed++,
                                 .pairs = 1,
                                 .quick = true,
                                 .trusted = true, /* noise is judged here, over all ratios */
                                 .c = &c,
                                 .calls = width < 1024 ? CALLS : WIDE_CALLS,
                                 .unchecked = i > 0,
                                 .unwatched = true};
    struct measure_result *r = hpc_calloc(1, sizeof *r);
    double before = distance_ns(BREAK_EVEN_THREADS);
    trial_timing(s->trial, &timing, r);
    double after = distance_ns(BREAK_EVEN_THREADS);
    to->ratio[w][i] = r->speed.ratio.value;
    to->flat[w][i] = r->speed.baseline_s;
    to->ns[w][i] = after;
    *steady = true;
    if (DEFENCE(noise))
        *steady = distance_same(before, after) &&
                  measure_contended(r, BREAK_EVEN_THREADS) <= noise_limits.contended;
    bool good = r->outcome.verdict == VERDICT_PASS ||
                outcome_set(&s->outcome, r->outcome.verdict, "%s", r->outcome.reason);
    free(r);
    return good;
}

/* Whether its threads do work at all, in what is measured, at the widest: else there is nothing to
 * predict. That they do in the case of openmp_inner's own tells nothing of these. */
static bool shares_work(struct break_even *s)
{
    struct lab_case c;
    s->trial->threads = BREAK_EVEN_THREADS;
    if (DEFENCE(threads_used))
        return width_case(s, break_even_widths[BREAK_EVEN_WIDTHS - 1], &c) &&
               trial_threads(s->trial, &c, s->seed++, &s->outcome);
    return true;
}

bool break_even_measure(struct break_even *s, struct break_even_curve *c)
{
    *c = (struct break_even_curve){.n = s->quick ? QUICK : BREAK_EVEN_RATIOS};
    if (!shares_work(s))
        return false;
    int left = TRIES;
    for (int i = 0; i < c->n; i++)
        for (int w = 0; w < BREAK_EVEN_WIDTHS;) {
            bool steady;
            if (!one_ratio(s, w, i, c, &steady))
                return false;
            if (steady)
                w++;
            else if (left-- > 0)
                usleep(PAUSE_US);
            else
                return outcome_set(
                    &s->outcome, VERDICT_NOISY,
                    "other programs have the processors, or the host moves them about: "
                    "close what you can and grade again");
        }
    return true;
}
