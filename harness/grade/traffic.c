/* Bounds on traffic by the checker's model: points, and a sentence about what moves too much. */
#include <stdio.h>
#include <string.h>

#include "common/defence.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/grade/internal.h"
#include "harness/record/score.h"

#define NEIGHBOURS 4 /* sectors of 32 bytes that 32 neighbouring floats lie in */
#define SCATTERED  8 /* from more on they are too many, whatever is asked for, */
#define UNALIGNED  5 /* and where a bound is missed: neighbours may begin within a sector */
#define FEW        8 /* threads of a warp that take part in a request, at most, are too few */
#define WARP       32
#define BY_FAR     1.25
#define MUCH       4 /* a line with this part of all sectors, or conflicts, is why */

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

/* A line's units a request; of the kernel, where no line is known. */
static double each_of(const struct traffic_place *place, double kernel)
{
    return place && place->at[0] ? place->units / place->requests : kernel;
}

static bool is_requests(enum traffic_counter counter)
{
    return counter == TRAFFIC_GLOBAL_LOAD_REQUESTS || counter == TRAFFIC_GLOBAL_STORE_REQUESTS ||
           counter == TRAFFIC_SHARED_LOAD_REQUESTS || counter == TRAFFIC_SHARED_STORE_REQUESTS;
}

static double sum(const struct traffic *traffic, enum traffic_counter counter)
{
    double all = 0;
    for (int k = 0; k < traffic->n; k++)
        all += traffic->kernel[k].counter[counter];
    return all;
}

/* The line with most requests of a kind, where these are too many; `allowed`: how many in all a
 * warp may make for 32 outputs, or 0. */
static void say_requests(const struct traffic *traffic, enum traffic_counter counter,
                         double outputs, double allowed, const struct traffic_place *place,
                         char *text, size_t size)
{
    const bool load =
        counter == TRAFFIC_GLOBAL_LOAD_REQUESTS || counter == TRAFFIC_SHARED_LOAD_REQUESTS;
    const bool shared =
        counter == TRAFFIC_SHARED_LOAD_REQUESTS || counter == TRAFFIC_SHARED_STORE_REQUESTS;
    const double all = sum(traffic, counter);
    char most[60] = "";
    const char *kind = load ? "load" : "store";
    if (!place->at[0] || !(all > 0))
        return;
    if (allowed > 0)
        snprintf(most, sizeof most, ", where %.3g in all are allowed", allowed);
    snprintf(text, size, "%s makes %.3g of the %.3g %s%ss of a warp for 32 outputs%s: ", place->at,
             WARP * place->requests / outputs, WARP * all / outputs, shared ? "shared " : "", kind,
             most);
    if (place->lanes <= FEW * place->requests)
        text_fit(text, size,
                 "%sof the 32 threads of a warp %.1f take part in each, where one request serves "
                 "all: let them all %s, side by side",
                 text, place->lanes / place->requests, kind);
    else
        text_fit(text, size, "%sis something there %s more often than it need be?", text,
                 load ? "loaded" : "stored");
}

/* What the accesses of a kind cost that is not needed, "" where it is nothing; where the dearest
 * is, if that is known. A load or store is spoken of from more than `sectors` on. */
static void say(const struct traffic *traffic, enum traffic_counter counter, double sectors,
                const struct traffic_place *place, char *text, size_t size)
{
    const char *kernel = "";
    char where[320] = "";
    text[0] = '\0';
    if (place && place->at[0])
        snprintf(where, sizeof where, " at %s%s%s%s", place->at, place->variable[0] ? " (" : "",
                 place->variable, place->variable[0] ? ")" : "");
    if (counter == TRAFFIC_GLOBAL_LOAD_SECTORS || counter == TRAFFIC_GLOBAL_STORE_SECTORS) {
        const double each = worst(traffic, counter, &kernel);
        const bool load = counter == TRAFFIC_GLOBAL_LOAD_SECTORS;
        if (each_of(place, each) > sectors)
            snprintf(text, size,
                     "a %s of 32 threads in %s%s moves %.1f sectors of 32 bytes, where neighbours "
                     "that %s neighbouring floats need %d: which index does threadIdx.x move?",
                     load ? "load" : "store", kernel, where, each_of(place, each),
                     load ? "load" : "store", NEIGHBOURS);
    } else if (counter == TRAFFIC_SHARED_LOAD_CONFLICTS ||
               counter == TRAFFIC_SHARED_STORE_CONFLICTS) {
        const double each = worst(traffic, counter, &kernel);
        if (each >= 1)
            snprintf(text, size,
                     "a %s of shared memory in %s%s takes %.1f passes, where one will do: threads "
                     "of a warp meet in a bank, of which there are 32, 4 bytes wide",
                     counter == TRAFFIC_SHARED_LOAD_CONFLICTS ? "load" : "store", kernel, where,
                     1 + each_of(place, each));
    }
}

/* The first kind that costs more than it need, of those that no bound speaks of. */
static void remark(const struct grading *g, struct trial *t, const struct lab_case *c,
                   struct task_result *result)
{
    const struct traffic *traffic = &result->traffic.counted;
    struct traffic_place place;
    static const enum traffic_counter kinds[] = {
        TRAFFIC_SHARED_LOAD_CONFLICTS, TRAFFIC_SHARED_STORE_CONFLICTS, TRAFFIC_GLOBAL_LOAD_SECTORS,
        TRAFFIC_GLOBAL_STORE_SECTORS};
    char text[700];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !result->outcome.hint[0]; i++) {
        say(traffic, kinds[i], SCATTERED, NULL, text, sizeof text);
        if (!text[0])
            continue;
        trial_traffic_place(t, c, g->seed, kinds[i], &place);
        say(traffic, kinds[i], SCATTERED, &place, text, sizeof text);
        outcome_hint(&result->outcome, "slow on a GPU: %s", text);
    }
}

/* Whether a case's windows lie apart, so that neighbours cannot load neighbours. */
static bool lies_apart(const struct lab_case *c)
{
    const struct hpc_param *stride = hpc_params_find(&c->params, "stride");
    return stride && strcmp(stride->value, "1") != 0;
}

/* Where a bound is met in the case that is counted, and missed by far in another. */
static void remark_elsewhere(const struct grading *g, struct trial *t, struct task_result *result)
{
    const struct lab_task *task = t->task;
    struct traffic_place place;
    char text[700];
    for (int i = 0; i < task->n_bounds && !result->outcome.hint[0]; i++) {
        const struct traffic_bound *b = &task->bounds[i];
        const struct lab_case *c = t->dearest[b->counter].c;
        const bool far = t->dearest[b->counter].each >= BY_FAR * b->bound;
        if (!far || b->per != TRAFFIC_PER_REQUEST || !c || c->hidden || lies_apart(c))
            continue;
        trial_traffic_place(t, c, g->seed, b->counter, &place);
        say(&result->traffic.counted, b->counter, UNALIGNED, &place, text, sizeof text);
        if (place.at[0] && text[0])
            outcome_hint(&result->outcome, "slow on a GPU in case %s alone: %s", c->name, text);
    }
}

/* Threads that are too few for the outputs, or more than the task has. */
static void say_threads(const struct task_traffic *traffic, bool few, char *text, size_t size)
{
    if (!few)
        snprintf(text, size,
                 "%.0f threads are launched for %.0f outputs, and fewer are asked for: let each "
                 "take several outputs, one after the other",
                 sum(&traffic->counted, TRAFFIC_THREADS), traffic->outputs);
    else
        snprintf(
            text, size,
            "%.0f threads are launched for %.0f outputs: a GPU has room for 2048 on each of its "
            "multiprocessors, and a block is on one of them: are the blocks as many as the "
            "outputs ask for?",
            sum(&traffic->counted, TRAFFIC_THREADS), traffic->outputs);
}

/* The first bound that is missed: the line, what it costs, and the number. */
static void say_missed(const struct grading *g, struct trial *t, const struct lab_case *c,
                       const struct traffic_mark *m, struct task_result *result)
{
    const struct task_traffic *traffic = &result->traffic;
    struct traffic_place place = {0};
    char text[700] = "", mark[300];
    const enum traffic_counter counter = m->bound.counter;
    const bool of_output = m->bound.per == TRAFFIC_PER_OUTPUT && !m->bound.at_least;
    if (counter != TRAFFIC_THREADS)
        trial_traffic_place(t, c, g->seed, counter, &place);
    if (counter == TRAFFIC_THREADS)
        say_threads(traffic, m->bound.at_least, text, sizeof text);
    else if (is_requests(counter) && of_output)
        say_requests(&traffic->counted, counter, traffic->outputs, 32 * m->bound.bound, &place,
                     text, sizeof text);
    else if (!is_requests(counter) && MUCH * place.units >= sum(&traffic->counted, counter))
        say(&traffic->counted, counter, UNALIGNED, &place, text, sizeof text);
    if (!text[0] && of_output && counter != TRAFFIC_THREADS &&
        is_requests(counter - 1)) { /* each costs little, but they are many */
        trial_traffic_place(t, c, g->seed, counter - 1, &place);
        say_requests(&traffic->counted, counter - 1, traffic->outputs, 0, &place, text,
                     sizeof text);
    }
    record_mark(m, mark, sizeof mark);
    outcome_reason(&result->outcome, "%s%straffic of case %s: %s", text, text[0] ? "; " : "",
                   c->name, mark);
}

/* Whether the case that is counted shows that the program is not right, or not safe: what the cases
 * before have earned is worth what it is there. */
static bool say_fault(const struct grading *g, const struct lab_case *c,
                      const struct lab_task *task, const struct outcome *o,
                      struct task_result *result)
{
    const bool looked = (task->safety & SAFETY_DEVICE) != 0, wrong = o->verdict == VERDICT_WRONG;
    result->by_host = looked && result->traffic.by_host;
    if (!wrong && !result->by_host && !(looked && o->verdict == VERDICT_UNSAFE))
        return false;
    outcome_set(&result->outcome, o->verdict, "case %s: %s", c->name, o->reason);
    outcome_hint(&result->outcome, "%s", o->hint);
    result->points = wrong || result->by_host ? 0 : task->points_correct / 2;
    if (!wrong)
        snprintf(result->safety, sizeof result->safety, "device: reports in case %s", c->name);
    grade_reproduce(g, task, c, " --safety checker", result);
    return true;
}

/* Whether it is another method than the task's: one of its bounds is missed, or nothing was counted
 * that could meet it. Right answers earn half then, and traffic nothing. */
static bool other_method(const struct lab_task *task, const struct task_traffic *traffic,
                         struct task_result *result)
{
    for (int i = 0; i < task->n_bounds; i++)
        if (task->bounds[i].method && !traffic->mark[i].met) {
            result->points = task->points_correct / 2;
            outcome_hint(&result->outcome, "it is another method than the one asked for, which has "
                                           "half of the points for right answers");
            return true;
        }
    return false;
}

/* How many bounds are met. What requests cost that nobody makes is worth something only where it is
 * not for want of what they are for: all that is used is within its bounds. */
static int mark_bounds(const struct lab_task *task, struct task_traffic *traffic)
{
    int met = 0, idle = 0;
    traffic->n = task->n_bounds;
    for (int i = 0; i < traffic->n; i++) {
        struct traffic_mark *m = &traffic->mark[i];
        m->bound = task->bounds[i];
        m->measured = traffic_quantity(&traffic->counted, &m->bound, traffic->outputs);
        m->met = traffic_met(&m->bound, m->measured);
        met += m->met;
        idle += m->met && traffic_idle(&traffic->counted, &m->bound);
    }
    if (met == traffic->n || !idle)
        return met;
    for (int i = 0; i < traffic->n; i++)
        traffic->mark[i].met &= !traffic_idle(&traffic->counted, &traffic->mark[i].bound);
    return met - idle;
}

void grade_traffic(const struct grading *g, struct trial *t, struct task_result *result)
{
    const struct lab_task *task = t->task;
    const struct lab_case *c = &g->project->lab->cases[task->traffic_case];
    struct task_traffic *traffic = &result->traffic;
    struct outcome o;
    ui_progress("%s: counting traffic, case %s", task->name, c->name);
    const struct outcome *build = &trial_runner(t, BUILD_CHECK)->outcome;
    if (build->verdict != VERDICT_PASS) {
        if (build->verdict == VERDICT_ENVIRONMENT || build->verdict == VERDICT_PENDING)
            record_waits(task, task->points_traffic, result);
        outcome_reason(&result->outcome, "traffic is not counted: %s", build->reason);
        return;
    }
    const bool counted = trial_traffic(t, c, g->seed, traffic, &o);
    if (DEFENCE(traffic_faults) && say_fault(g, c, task, &o, result))
        return;
    if (!counted) {
        outcome_reason(&result->outcome, "traffic of case %s: %s", c->name, o.reason);
        if (DEFENCE(method_unseen) && o.verdict == VERDICT_PASS) /* it moves nothing */
            other_method(task, traffic, result);
        return;
    }
    int met = mark_bounds(task, traffic);
    met = other_method(task, traffic, result) ? 0 : met;
    for (int i = 0; i < traffic->n && !result->outcome.reason[0]; i++)
        if (!traffic->mark[i].met &&
            !traffic_met(&traffic->mark[i].bound, traffic->mark[i].measured))
            say_missed(g, t, c, &traffic->mark[i], result);
    result->points += score_points(task->points_traffic, (double)met / traffic->n);
    if (met < traffic->n)
        grade_reproduce(g, task, c, " --safety checker", result);
    else if (task->points_traffic > 0)
        remark(g, t, c, result);
    if (met == traffic->n)
        remark_elsewhere(g, t, result);
}
