/* The cases of a task: their order by work, their results, and which of several failures is told
 * of. */
#define _GNU_SOURCE
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/interrupt.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/grade/internal.h"
#include "harness/lab/case.h"

#define MOST_HUNG    2 /* cases that time out before the rest is left untried */
#define HUNG_SECONDS 3 /* of a case behind one that timed out */

/* FLOP of a case that takes no longer than its runner's start, under a sanitizer too: which of two
 * such is cheaper says nothing of their time, and the lab's first ones tell more than the least. */
static const double small = 1e6;

static double work(const struct lab_task *task, const struct lab_case *c, uint64_t seed)
{
    struct ready_case ready;
    struct hpc_error err;
    struct hpc_cost cost;
    if (!case_ready(c, seed, task_threads(task), &ready, &err))
        return 0;
    c->op->cost(ready.problem, &cost);
    return cost.flops > small ? cost.flops : small;
}

void grade_hurry(const struct grading *g, struct jail_limits *limits)
{
    if (g->quick && limits->wall_seconds > GRADE_QUICK_SECONDS)
        limits->wall_seconds = GRADE_QUICK_SECONDS;
}

double grade_growth(const struct grading *g, const struct lab_task *task, const struct lab_case *c)
{
    return work(task, c, g->seed) > small ? 4 : 1.5;
}

static bool cheaper(const struct lab_task *task, const struct lab_case *a, const struct lab_case *b,
                    uint64_t seed)
{
    const struct lab_case *const cases[2] = {a, b};
    struct hpc_cost cost[2];
    for (int i = 0; i < 2; i++) {
        struct ready_case ready;
        struct hpc_error err;
        if (!case_ready(cases[i], seed, task_threads(task), &ready, &err))
            return false;
        cases[i]->op->cost(ready.problem, &cost[i]);
    }
    return cost[0].flops < cost[1].flops;
}

int grade_order(const struct grading *g, const struct lab_task *task, const int *at, int n,
                const struct lab_case *first, const struct lab_case *cases[])
{
    int placed = 0;
    bool listed = !first;
    for (int i = 0; i < n; i++)
        listed |= &g->project->lab->cases[at[i]] == first;
    if (first && (g->quick || !listed))
        cases[placed++] = first;
    const int begin = placed;
    for (int i = 0; i < n; i++) {
        const struct lab_case *c = &g->project->lab->cases[at[i]];
        int k = placed;
        if (begin && c == first)
            continue;
        for (; g->quick && k > begin && work(task, c, g->seed) < work(task, cases[k - 1], g->seed);
             k--)
            cases[k] = cases[k - 1];
        cases[k] = c;
        placed++;
    }
    return placed;
}

void grade_reproduce(const struct grading *g, const struct lab_task *task, const struct lab_case *c,
                     const char *option, struct task_result *result)
{
    snprintf(result->reproduce, sizeof result->reproduce,
             "./hpclab run %s/%s --impl %s --case %s --seed %llu%s", g->project->lab->name,
             task->name, g->implementation, c->name, (unsigned long long)g->seed, option);
}

const char *grade_elsewhere(const struct lab_case *seen, const struct lab_case *failing, char *text,
                            size_t size)
{
    text[0] = '\0';
    if (seen && failing && strcmp(seen->name, failing->name) != 0)
        snprintf(text, size, " (in %s%s)", seen->hidden ? "another case" : "case ",
                 seen->hidden ? "" : seen->name);
    return text;
}

/* How a case failed. */
struct failure {
    const struct lab_case *c;
    struct outcome o;
};

/* Whether two hints say the same, but for their numbers. */
static bool alike(const char *a, const char *b)
{
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a += strspn(a, "0123456789.");
            b += strspn(b, "0123456789.");
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return *a == *b;
}

/* The failure whose hint is that of most cases: the cheapest of those, `cheap`, else the first.
 * What fewer than half of the cases look like explains not all of them, and may be chance: then it
 * is `cheap`, and *sure is false. */
static const struct failure *told(const struct failure *failed, int n, const struct failure *cheap,
                                  bool *sure)
{
    const struct failure *best = cheap;
    int most = 0, alike_all = 0;
    for (int i = 0; i < n; i++)
        alike_all += failed[i].o.verdict == failed[0].o.verdict;
    for (int i = 0; i < n; i++) {
        int like = 0;
        for (int k = 0; k < n && *failed[i].o.hint; k++)
            like += failed[k].o.verdict == failed[0].o.verdict &&
                    alike(failed[i].o.hint, failed[k].o.hint);
        if (failed[i].o.verdict == failed[0].o.verdict && like > most) {
            most = like;
            best = &failed[i];
        }
    }
    *sure = 2 * most >= alike_all;
    return !*sure || alike(best->o.hint, cheap->o.hint) ? cheap : best;
}

/* Whether a hint is no guess: what lies around inputs was seen in outputs, which no chance puts
 * there. In other cases it may be an input's own elements that are read instead. */
static bool is_seen(const char *hint)
{
    return strstr(hint, " computed from what lies outside of ") != NULL;
}

/* Of several threads that hang in most cases that fail: these first. Where each of them stands is
 * seen, and the same every time; what comes out of the others differs from try to try. */
static void hung_first(struct failure *failed, int n, int hung)
{
    if (2 * hung <= n || failed[0].o.verdict == VERDICT_TIMEOUT)
        return;
    for (int i = 1, at = 0; i < n; i++)
        if (failed[i].o.verdict == VERDICT_TIMEOUT) {
            const struct failure one = failed[i];
            memmove(failed + at + 1, failed + at, (size_t)(i - at) * sizeof *failed);
            failed[at++] = one;
        }
}

/* Whether `a` says more of a wrong result than b: a student can call it again, or it is smaller. */
static bool simpler(const struct grading *g, const struct lab_task *task, const struct failure *a,
                    const struct failure *b)
{
    if (a->o.verdict != b->o.verdict ||
        (a->o.verdict != VERDICT_WRONG && a->o.verdict != VERDICT_CRASH))
        return false;
    return a->c->hidden == b->c->hidden ? cheaper(task, a->c, b->c, g->seed) : b->c->hidden;
}

/* Of a task of several threads that has fewer than this: cases of least work with so many, though
 * there be fewer processors. Whom a barrier forgets is seen with three threads, not with two. */
enum { MORE_THREADS = 4 };
static const double more_seconds = 2; /* that the first of them may take, until the last begins */

/* Whether these are right too, into the result; if not t->threads stays at so many, for who looks
 * for the mistake. */
static void right_with_more(const struct grading *g, struct trial *t, struct task_result *result,
                            const struct lab_case **failing)
{
    const struct lab_task *task = t->task;
    const struct grading cheap = {.project = g->project, .seed = g->seed, .quick = true};
    const struct lab_case *cases[LAB_MAX_CASES];
    const int n = grade_order(&cheap, task, task->cases, task->n_cases, NULL, cases);
    const int threads = t->threads;
    const double begin = clock_now();
    if (!task_threaded(task) || threads >= MORE_THREADS)
        return;
    t->threads = MORE_THREADS;
    for (int i = 0; i < n && clock_now() < begin + more_seconds && !hpc_interrupted(); i++) {
        struct outcome o = {0};
        ui_progress("%s: case %s, %d threads", task->name, cases[i]->name, MORE_THREADS);
        /* Threads that spin may only have too few processors; others wait for nobody. */
        if (trial_case(t, BUILD_PLAIN, cases[i], g->seed, &o) || o.verdict == VERDICT_ENVIRONMENT ||
            (o.verdict == VERDICT_TIMEOUT && !strstr(o.reason, " wait")))
            continue;
        *failing = cases[i];
        result->correctness.cases++;
        outcome_set(&result->outcome, o.verdict, "case %s with %d threads: %s", cases[i]->name,
                    MORE_THREADS, o.reason);
        outcome_hint(&result->outcome, "%s", o.hint);
        text_fit(result->correctness.first_failure, sizeof result->correctness.first_failure, "%s",
                 result->outcome.reason);
        grade_reproduce(g, task, cases[i], grade_more_threads(t), result);
        return;
    }
    t->threads = threads;
}

const char *grade_more_threads(const struct trial *t)
{
    static char option[24];
    snprintf(option, sizeof option, " --threads %d", t->threads);
    return t->threads == task_threads(t->task) ? "" : option;
}

void grade_cases(const struct grading *g, struct trial *t, struct task_result *result,
                 const struct lab_case **failing)
{
    const struct lab_task *task = t->task;
    struct task_correctness *all = &result->correctness;
    struct failure *failed = hpc_calloc((size_t)task->n_cases + 1, sizeof *failed);
    const struct jail_limits limits = t->limits;
    int hung = 0, n = 0, cheap = 0;
    for (int i = 0; i < task->n_cases && hung < MOST_HUNG && !hpc_interrupted(); i++) {
        const struct lab_case *c = &g->project->lab->cases[task->cases[i]];
        struct outcome o = {0};
        ui_progress("%s: case %s (%d of %d)", task->name, c->name, i + 1, task->n_cases);
        all->cases++;
        if (trial_case(t, build_plain(g->device), c, g->seed, &o)) {
            all->passed++;
            if (o.hint[0] && !result->outcome.hint[0])
                outcome_hint(&result->outcome, "%s", o.hint);
            continue;
        }
        hung += o.verdict == VERDICT_TIMEOUT;
        if (hung) /* it has failed: what others show is worth no second wait of that length */
            t->limits.wall_seconds = fmin(limits.wall_seconds, HUNG_SECONDS);
        failed[n++] = (struct failure){c, o};
        if (simpler(g, task, &failed[n - 1], &failed[cheap]))
            cheap = n - 1;
    }
    t->limits = limits;
    if (task_threaded(task)) {
        hung_first(failed, n, hung);
        cheap = n > 0 && failed->o.verdict == VERDICT_TIMEOUT ? 0 : cheap;
    }
    if (n > 0) {
        bool sure;
        const struct failure *one = told(failed, n, &failed[cheap], &sure);
        *failing = one->c;
        text_fit(all->first_failure, sizeof all->first_failure, "case %s: %s", failed->c->name,
                 failed->o.reason);
        outcome_set(&result->outcome, one->o.verdict, "case %s: %s", one->c->name, one->o.reason);
        outcome_hint(&result->outcome, "%s", sure || is_seen(one->o.hint) ? one->o.hint : "");
        grade_reproduce(g, task, one->c, "", result);
    }
    free(failed);
    if (n == 0)
        right_with_more(g, t, result, failing);
}
