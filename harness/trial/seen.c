/* A try of a simpler case; and where it is seen that a key makes one right: in the case that failed
 * first, too? What a try of the case as it is tells of its threads, and of memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/interrupt.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/lab/case.h"
#include "harness/trial/simpler.h"
#include "harness/trial/simplify.h"

#define LEAST_TRIES 12                  /* however busy the machine is */
#define EARLY_TRIES 2                   /* a thread that has done its work may be about to end */
#define WHERE       (SEARCH_WHERE - 20) /* bytes of what a simpler case has otherwise */

enum found search_try(struct search *q, const struct lab_case *c, struct case_try *one)
{
    *one = (struct case_try){.c = c,
                             .built = q->built,
                             .seed = q->seed,
                             .threads = q->threads,
                             .limits = q->t->limits,
                             .calls = q->calls,
                             .plain = true,
                             .zeros = q->zeros,
                             .linger = one->linger,
                             .part = one->part};
    const bool late = clock_now() > q->until && q->s->tries >= LEAST_TRIES;
    if ((late && !one->part) || hpc_interrupted()) /* the part tells most: it is worth a try */
        return FOUND_NOTHING;
    ui_progress("%s: looking for the smallest case that fails", q->t->task->name);
    q->s->tries++;
    const bool right = try_case(one);
    free(one->output);
    one->output = NULL;
    return right ? FOUND_RIGHT : one->outcome.verdict == q->verdict ? FOUND_WRONG : FOUND_NOTHING;
}

void search_early(struct search *q)
{
    int ended = 1;
    if (q->t->threads < 2 || lab_task_cuda(q->t->task) || q->now.op->ranks)
        return;
    for (int i = 0; i < EARLY_TRIES && ended > 0; i++) {
        struct case_try one = {.linger = true};
        search_try(q, &q->now, &one);
        ended = one.ended;
    }
    if (ended > 0)
        snprintf(q->s->calls, sizeof q->s->calls,
                 "run() returns before its threads are done: %d of them %s still there when it has "
                 "returned, and %s soon after; join each before their results are copied",
                 ended, ended == 1 ? "is" : "are", ended == 1 ? "ends" : "end");
}

const char *search_value(const struct hpc_params *params, const char *key)
{
    const struct hpc_param *p = hpc_params_find(params, key);
    return p ? p->value : "";
}

bool search_wrong_first(struct search *q, const struct lab_case *c, int threads, uint64_t call)
{
    struct hpc_error err;
    struct case_try one = {.c = c,
                           .built = q->built,
                           .seed = q->seed,
                           .threads = threads,
                           .limits = q->t->limits,
                           .first = call,
                           .calls = 1,
                           .checked = 1};
    if (!try_ready(&one, &err))
        return false;
    const bool right = try_calls(&one);
    free(one.output);
    if (!right && one.wrong && !*q->s->calls)
        snprintf(q->s->calls, sizeof q->s->calls,
                 "right with one call's inputs, wrong with another's, whichever comes first: it "
                 "depends on values of the inputs");
    return !right && one.wrong;
}

/* What two calls come to of a case of these parameters, with key = value. Where the second alone is
 * wrong, and right when it comes first, s->calls says so. */
static enum found two_calls(struct search *q, const struct hpc_params *params, int threads,
                            const char *key, const char *value)
{
    struct lab_case c = q->now;
    struct case_try try = {0};
    struct hpc_error err;
    struct search two = *q;
    c.params = *params;
    two.calls = 2;
    two.threads = threads;
    if (!*value || !hpc_params_set(&c.params, key, value, "a simpler case", &err))
        return FOUND_NOTHING;
    const enum found found = search_try(&two, &c, &try);
    if (q->calls == 1 && found == FOUND_WRONG && try.call == 2 &&
        !search_wrong_first(q, &c, threads, try.call) && !*q->s->calls)
        snprintf(q->s->calls, sizeof q->s->calls,
                 "with %s = %s right in the first call, wrong in the second: it keeps something "
                 "from one call to the next",
                 key, value);
    return found;
}

const struct hpc_params *search_seen(struct search *q, const char *key, const char *value,
                                     const char *first, char *text, size_t size)
{
    char all[WHERE] = "";
    text[0] = '\0';
    if (q->calls == 1 && two_calls(q, &q->now.params, q->threads, key, value) == FOUND_WRONG)
        return NULL;
    if (q->threads != q->t->threads && !lab_task_cuda(q->t->task))
        text_fit(all, sizeof all, ", threads = %d", q->threads);
    for (int i = 0; i < q->now.params.n; i++) {
        const struct hpc_param *now = &q->now.params.p[i];
        if (strcmp(now->key, key) != 0 &&
            strcmp(search_value(&q->first, now->key), now->value) != 0)
            text_fit(all, sizeof all, "%s, %s = %s", all, now->key, now->value);
    }
    if (!*all)
        return &q->now.params;
    if (two_calls(q, &q->first, q->t->threads, key, first) == FOUND_RIGHT)
        return &q->first;
    text_fit(text, size, " (in a case with %s)", all + 2);
    return &q->now.params;
}

bool search_settle(struct search *q, const struct lab_case *c)
{
    struct ready_case ready;
    struct hpc_error err;
    char threads[16];
    q->now = *c;
    q->threads = q->t->threads;
    if (!case_ready(c, q->seed, q->threads, &ready, &err))
        return false;
    q->now.params = ready.params;
    snprintf(threads, sizeof threads, "%d", q->threads);
    for (int i = 0; i < q->now.params.n; i++)
        if (strcmp(q->now.params.p[i].value, "threads") == 0)
            hpc_params_set(&q->now.params, q->now.params.p[i].key, threads, "a case", &err);
    return true;
}

bool trial_hangs_unset(struct trial *t, enum build_kind kind, const struct lab_case *c,
                       uint64_t seed)
{
    struct simplified s = {.tries = 0};
    struct case_try one = {0}, again = {0};
    struct search q = {.t = t,
                       .built = trial_runner(t, kind),
                       .seed = seed,
                       .calls = 1,
                       .zeros = UINT32_MAX,
                       .s = &s};
    const struct jail_limits limits = t->limits;
    t->limits.wall_seconds = fmin(limits.wall_seconds, 3);
    const bool right =
        search_settle(&q, c) && search_try(&q, &q.now, &one) == FOUND_RIGHT && one.filled > 0;
    q.zeros = 0;
    if (right) /* one that returns at times would do so here, too */
        search_try(&q, &q.now, &again);
    t->limits = limits;
    return right && again.outcome.verdict == VERDICT_TIMEOUT;
}
