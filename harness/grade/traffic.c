/* Bounds on traffic by the checker's model: points, and in a sentence what moves more than it
 * need. */
#include <stdio.h>

#include "common/ui.h"
#include "harness/grade/internal.h"

#define NEIGHBOURS 4 /* sectors of 32 bytes that 32 neighbouring floats lie in */

/* A counter over the requests of its kind, in the kernel where that is largest. */
static double worst(const struct traffic *traffic, enum traffic_counter counter,
                    const char **kernel)
{
    double most = 0;
    for (int k = 0; k < traffic->n; k++) {
        const double *c = traffic->kernel[k].counter;
        const double each = c[counter - 1] > 0 ? c[counter] / c[counter - 1] : 0;
        if (each <= most)
            continue;
        most = each;
        *kernel = traffic->kernel[k].name;
    }
    return most;
}

/* What the accesses of a kind cost that is not needed, "" where it is nothing. */
static void say(const struct traffic *traffic, enum traffic_counter counter, char *text,
                size_t size)
{
    const char *kernel = "";
    text[0] = '\0';
    if (counter == TRAFFIC_GLOBAL_LOAD_SECTORS || counter == TRAFFIC_GLOBAL_STORE_SECTORS) {
        const double each = worst(traffic, counter, &kernel);
        const bool load = counter == TRAFFIC_GLOBAL_LOAD_SECTORS;
        if (each > 2 * NEIGHBOURS)
            snprintf(text, size,
                     "a %s of 32 threads in %s moves %.1f sectors of 32 bytes, where neighbours "
                     "that %s neighbouring floats need %d: which index does threadIdx.x move?",
                     load ? "load" : "store", kernel, each, load ? "load" : "store", NEIGHBOURS);
    } else if (counter == TRAFFIC_SHARED_LOAD_CONFLICTS ||
               counter == TRAFFIC_SHARED_STORE_CONFLICTS) {
        const double each = worst(traffic, counter, &kernel);
        if (each >= 1)
            snprintf(text, size,
                     "a %s of shared memory in %s takes %.1f passes, where one will do: threads of "
                     "a warp meet in a bank, of which there are 32, 4 bytes wide",
                     counter == TRAFFIC_SHARED_LOAD_CONFLICTS ? "load" : "store", kernel, 1 + each);
    }
}

/* The first kind that costs more than it need, of those that no bound speaks of. */
static void remark(const struct traffic *traffic, struct task_result *result)
{
    static const enum traffic_counter kinds[] = {
        TRAFFIC_SHARED_LOAD_CONFLICTS, TRAFFIC_SHARED_STORE_CONFLICTS, TRAFFIC_GLOBAL_LOAD_SECTORS,
        TRAFFIC_GLOBAL_STORE_SECTORS};
    char text[300];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !result->outcome.hint[0]; i++) {
        say(traffic, kinds[i], text, sizeof text);
        if (text[0])
            outcome_hint(&result->outcome, "slow on a GPU: %s", text);
    }
}

void grade_traffic(const struct grading *g, struct trial *t, struct task_result *result)
{
    const struct lab_task *task = t->task;
    const struct lab_case *c = &g->project->lab->cases[task->traffic_case];
    struct task_traffic *traffic = &result->traffic;
    struct outcome o;
    char text[300];
    ui_progress("%s: counting traffic, case %s", task->name, c->name);
    const struct outcome *build = &trial_runner(t, BUILD_CHECK)->outcome;
    if (build->verdict != VERDICT_PASS) {
        if (build->verdict == VERDICT_ENVIRONMENT || build->verdict == VERDICT_PENDING)
            record_waits(task, task->points_traffic, result);
        outcome_reason(&result->outcome, "traffic is not counted: %s", build->reason);
        return;
    }
    if (!trial_traffic(t, c, g->seed, traffic, &o)) {
        outcome_reason(&result->outcome, "traffic of case %s: %s", c->name, o.reason);
        return;
    }
    traffic->n = task->n_bounds;
    int met = 0;
    for (int i = 0; i < traffic->n; i++) {
        struct traffic_mark *m = &traffic->mark[i];
        m->bound = task->bounds[i];
        m->measured = traffic_quantity(&traffic->counted, &m->bound, traffic->outputs);
        m->met = traffic_met(&m->bound, m->measured);
        met += m->met;
        if (m->met || result->outcome.reason[0])
            continue;
        say(&traffic->counted, m->bound.counter, text, sizeof text);
        outcome_reason(&result->outcome, "%s%straffic of case %s: %s is %.4g, %s %.4g is asked for",
                       text, text[0] ? "; " : "", c->name, m->bound.quantity, m->measured,
                       m->bound.at_least ? "at least" : "at most", m->bound.bound);
    }
    result->points += task->points_traffic * met / traffic->n;
    if (met < traffic->n)
        grade_reproduce(g, task, c, " --safety checker", result);
    else
        remark(&traffic->counted, result);
}
