#include "harness/trial/simpler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "harness/lab/case.h"

static void say(struct simplified *s, const char *text)
{
    snprintf(s->calls, sizeof s->calls, "%s", text);
}

/* Whether two results are wrong in the same way: sums in another order may differ a little. */
static bool alike(const struct hpc_mismatch *a, const struct hpc_mismatch *b)
{
    const double off = fabs(a->got - a->want), apart = fabs(a->got - b->got);
    return a->index == b->index && (isfinite(off) ? apart <= 1e-3 * off : !isfinite(b->got));
}

/* A try whose first `zeros` allocations hold zeros. */
static enum found with_zeros(struct search *q, uint32_t zeros, struct case_try *one)
{
    q->zeros = zeros;
    const enum found found = search_try(q, &q->now, one);
    q->zeros = 0;
    return found;
}

/* Whether a number is near those that memory which nobody has set is full of. */
static bool huge(double v)
{
    return !(fabs(v) < 1e30);
}

/* What a try with so many zeros shows of memory that nobody has set: it is right, or at least no
 * longer wrong by a huge number where another one was. */
static bool mended(enum found found, const struct case_try *one)
{
    return found == FOUND_RIGHT || (found == FOUND_WRONG && !huge(one->mismatch.got));
}

/* Whether memory that malloc gave is read before anything is written there, and of which
 * allocation, by tries with zeros in it. *was: one without. */
static bool reads_unset(struct search *q, const struct case_try *was)
{
    char place[1][EXCHANGE_PLACE] = {""};
    struct case_try one = {0};
    const enum found all = was->filled ? with_zeros(q, UINT32_MAX, &one) : FOUND_NOTHING;
    if (all == FOUND_NOTHING || !mended(all, &one) ||
        (all == FOUND_WRONG && (q->verdict != VERDICT_WRONG || !huge(was->mismatch.got))))
        return false;
    uint32_t few = 0, enough = was->filled;
    while (enough - few > 1) {
        const uint32_t half = few + (enough - few) / 2;
        const enum found found = with_zeros(q, half, &one);
        if (found == FOUND_NOTHING)
            break;
        *(found == all && mended(found, &one) ? &enough : &few) = half;
    }
    if (enough - few == 1 && with_zeros(q, enough, &one) == all)
        exchange_places(q->built->output, &one.filled_at, place, 1);
    snprintf(q->s->calls, sizeof q->s->calls,
             TRIAL_UNSET "%s before anything is written there%s%s%s",
             !lab_task_cuda(q->t->task) ? "malloc gave"
             : *place[0]                ? "malloc or new gave"
                                        : "malloc or new gave, or what a kernel's variable has,",
             *place[0] ? ", the memory of " : "", place[0],
             all == FOUND_RIGHT ? ": right where that is zeros, as new memory often is" : "");
    return all == FOUND_RIGHT;
}

/* What does not depend on a key: the same again, the first call, one thread. False where nothing
 * else can be learnt. */
static bool look_at_calls(struct search *q)
{
    struct case_try one = {0}, two = {0};
    q->verdict = VERDICT_PENDING; /* none yet */
    if (search_try(q, &q->now, &one) == FOUND_RIGHT) {
        say(q->s, "right when it is tried again with the same inputs" TRIAL_VARIES);
        return false;
    }
    q->verdict = one.outcome.verdict;
    if (q->verdict != VERDICT_WRONG && q->verdict != VERDICT_CRASH)
        return false;
    const enum found again = search_try(q, &q->now, &two);
    const bool same = one.call == two.call && alike(&one.mismatch, &two.mismatch);
    const bool steady = again == FOUND_WRONG && same;
    if (again == FOUND_WRONG && reads_unset(q, &two))
        return false;
    if (again == FOUND_RIGHT || (again == FOUND_WRONG && !same && q->verdict == VERDICT_WRONG))
        say(q->s, "not the same twice with the same inputs" TRIAL_VARIES);
    if (steady && one.call == 1)
        q->calls = 1;
    if (steady && one.call == 2 && !q->s->calls[0] &&
        !search_wrong_first(q, &q->now, q->threads, one.call))
        say(q->s, "right in the first call, wrong in the second, with other inputs: it keeps "
                  "something from one call to the next, or reads what nobody set");
    return steady || again == FOUND_WRONG;
}

/* Whether the case that failed first, one thread alone, is right. */
static bool one_thread_right(struct search *q)
{
    struct lab_case c = q->now;
    struct case_try try = {0};
    c.params = q->first;
    return search_try(q, &c, &try) == FOUND_RIGHT;
}

/* Whether one thread alone fails too; then it is one from here on. */
static void look_at_threads(struct search *q)
{
    const int threads = q->t->threads;
    struct case_try try = {0};
    if (threads > 1) {
        q->threads = 1;
        const enum found found = search_try(q, &q->now, &try);
        q->threads_part = found == FOUND_RIGHT;
        if (q->threads_part && !q->s->calls[0] && one_thread_right(q))
            snprintf(q->s->calls, sizeof q->s->calls, "right with one thread, wrong with %d",
                     threads);
        if (found != FOUND_WRONG)
            q->threads = threads;
    }
}

/* The operation's word on the simplest case with other keys; false where it has none. */
static bool ask_about(struct search *q, const char *words)
{
    char keys[200], *save = NULL;
    struct lab_case c = q->now;
    struct hpc_error err;
    struct case_try try = {.part = true};
    snprintf(keys, sizeof keys, "%s", words);
    for (char *word = strtok_r(keys, " ", &save); word; word = strtok_r(NULL, " ", &save))
        if (!hpc_params_set_word(&c.params, word, "a simpler case", &err))
            return false;
    if (search_try(q, &c, &try) != FOUND_WRONG || !try.part_text[0])
        return false;
    snprintf(q->s->part, sizeof q->s->part, "%s", try.part_text);
    return true;
}

/* The same of a problem of the operation's own. */
static bool ask_probe(struct search *q, int number)
{
    struct ready_case ready;
    struct hpc_error err;
    char keys[200];
    return case_ready(&q->now, q->seed, q->threads, &ready, &err) &&
           q->now.op->probe(ready.problem, number, keys, sizeof keys) && ask_about(q, keys);
}

static void ask_part(struct search *q)
{
    const struct hpc_op *op = q->now.op;
    if (op->part && q->verdict == VERDICT_WRONG && !q->s->part[0])
        ask_about(q, op->part_keys ? op->part_keys : "");
    if (op->part_unsure && strncmp(q->s->part, op->part_unsure, strlen(op->part_unsure)) == 0)
        ask_probe(q, -1);
}

/* Whether the operation names a part without what made it wrong: "the delta is wrong (..)". */
static bool without_cause(const char *part)
{
    return strstr(part, " is wrong (") || strstr(part, " are wrong (");
}

/* Of a problem of the operation's own, which may tell more than the simplest case: it is asked
 * first, before the time is up. Without a cause the simplest case's word is as good, unless
 * columns are named. */
static void ask_probes(struct search *q)
{
    const struct hpc_op *op = q->now.op;
    struct ready_case ready;
    struct hpc_error err;
    char keys[200], columns[sizeof q->s->part] = "";
    if (!op->probe || q->verdict != VERDICT_WRONG ||
        !case_ready(&q->now, q->seed, q->threads, &ready, &err))
        return;
    for (int i = 0; op->probe(ready.problem, i, keys, sizeof keys); i++)
        if (ask_about(q, keys)) {
            if (!without_cause(q->s->part))
                return;
            if (!*columns && strstr(q->s->part, "; all other columns are right"))
                snprintf(columns, sizeof columns, "%s", q->s->part);
            q->s->part[0] = '\0';
        }
    snprintf(q->s->part, sizeof q->s->part, "%s", columns);
}

void trial_part(struct trial *t, enum build_kind kind, const struct lab_case *c, uint64_t seed,
                struct simplified *s)
{
    struct search q = {.t = t, .built = trial_runner(t, kind), .seed = seed, .calls = 1, .s = s};
    q.verdict = VERDICT_WRONG;
    if (search_settle(&q, c))
        ask_part(&q);
}

void trial_returns_early(struct trial *t, enum build_kind kind, const struct lab_case *c,
                         uint64_t seed, struct simplified *s)
{
    struct search q = {.t = t,
                       .built = trial_runner(t, kind),
                       .seed = seed,
                       .calls = 1,
                       .until = clock_now() + 1,
                       .s = s};
    *s = (struct simplified){.tries = 0};
    if (q.built->outcome.verdict == VERDICT_PASS && search_settle(&q, c))
        search_early(&q);
}

void trial_simplify(struct trial *t, enum build_kind kind, const struct lab_case *c, uint64_t seed,
                    double seconds, struct simplified *s)
{
    struct search q = {.t = t,
                       .built = trial_runner(t, kind),
                       .seed = seed,
                       .calls = 2,
                       .until = clock_now() + seconds,
                       .s = s};
    *s = (struct simplified){.tries = 0};
    if (q.built->outcome.verdict != VERDICT_PASS || !search_settle(&q, c))
        return;
    q.first = q.now.params;
    if (!look_at_calls(&q))
        return;
    search_shrink(&q);
    look_at_threads(&q);
    const bool first = q.calls == 1; /* what it left makes all parts of a second one look wrong */
    if (first)
        ask_probes(&q);
    search_simpler(&q);
    if (first)
        ask_part(&q);
    s->left = q.now.params;
    for (int i = 0; i < s->left.n; i++) {
        const struct hpc_param *was = hpc_params_find(&q.first, s->left.p[i].key);
        s->changed += !was || strcmp(was->value, s->left.p[i].value) != 0;
    }
}
