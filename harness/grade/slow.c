/* What a right solution in C was seen to do, in numbers; and why it is slow, in a sentence with the
 * line. It chooses words, and no points. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "common/ui.h"
#include "harness/grade/internal.h"
#include "harness/lab/case.h"
#include "harness/machine/copy.h"

#define LOCKED    6 /* percent of all samples, from which on locks are the reason */
#define TURNS     4 /* of so many looks at most one sees two threads at work, where they take turns */
#define SPREAD    5  /* percent, from which on a line is told where none has a quarter */
#define HANDED    10 /* percent, from which on handing out a loop's steps is the reason, */
#define FEW_STEPS 16 /* where it is so many at a time at most */
#define LEAST     24 /* samples, before a share is spoken of */

/* The line's share of all samples in percent, by one of its counts. */
static int percent(const struct exchange_profile *p, int samples)
{
    return (int)(100.0 * samples / p->samples + 0.5);
}

/* The line that most calls were seen from; and those where most waited: "F:18, F:16". */
static const struct exchange_line *calling(const struct exchange_profile *p)
{
    const struct exchange_line *best = &p->line[0];
    for (int i = 1; i < p->n; i++)
        if (p->line[i].called > best->called)
            best = &p->line[i];
    return best;
}

static int waiting(const struct exchange_profile *p, char *places, size_t size)
{
    int all = 0, said = 0;
    places[0] = '\0';
    for (int i = 0; i < p->n; i++) {
        const int waited = p->line[i].waited;
        if (percent(p, waited) >= 10 && said < 2) {
            text_fit(places, size, "%s%s%s", places, said ? " and " : "", p->line[i].place);
            said++;
        }
        all += waited;
    }
    return said ? all : 0;
}

/* Threads that let each other wait: long, for what a lock holds, or often. */
static bool say_locks(const char *root, const struct exchange_profile *p, int threads, char *text,
                      size_t size)
{
    struct lock_time l;
    if (threads < 2 || !lock_time(root, p, &l) || percent(p, l.at) < LOCKED)
        return false;
    const char *also = l.shared ? " (critical sections without a name are all one lock)" : "";
    if (2 * l.own >= l.at)
        snprintf(text, size,
                 "its %d threads take turns: %d%% of their time they stand at %s, %s%s, which one "
                 "holds while it does what all could do at once: let each work on data of its own, "
                 "and lock no more than what is shared",
                 threads, percent(p, l.at), l.name, l.place, also);
    else
        snprintf(text, size,
                 "%d%% of its threads' time passes in taking and giving back %s, %s%s: it is taken "
                 "too often. Add up in a variable of each thread's own, and take it once",
                 percent(p, l.at), l.name, l.place, also);
    return true;
}

/* Threads that write to one cache line. */
static bool say_shared(const struct grading *g, struct trial *t, char *text, size_t size,
                       char *numbers, size_t numbers_size)
{
    struct trial_meeting m;
    if (t->threads < 2)
        return false;
    ui_progress("%s: looking which cache lines several threads write", t->task->name);
    return trial_meeting(t, g->seed + 1, &m) &&
           shared_words(g->project->root, &m, text, size, numbers, numbers_size);
}

/* Threads of which one alone works at a time, or that wait for long, though none is seen at a lock
 * that they take: who is woken at a barrier comes when the lock is free again. */
static bool say_turns(const char *root, const struct exchange_profile *p, int threads, char *text,
                      size_t size)
{
    char places[2 * EXCHANGE_PLACE + 10];
    struct lock_time l;
    const int waited = waiting(p, places, sizeof places);
    if (threads < 2 || percent(p, waited) < 25 || !lock_of_work(root, places, &l))
        return false;
    *text = '\0';
    if (TURNS * p->together <= p->looks)
        text_fit(text, size,
                 "its %d threads take turns: of %d looks at them two worked at once in %d, and "
                 "they wait",
                 threads, p->looks, p->together);
    else
        text_fit(text, size, "its %d threads wait", threads);
    return text_fit(text, size,
                    "%s for %d%% of their time, at %s: is %s, %s, held while a thread does what "
                    "all could do at once?",
                    text, percent(p, waited), places, l.name, l.place);
}

/* How many steps of the loop at `place`, "F:18", its pragma hands out at a time; 0: it does not say
 * dynamic. */
static long dynamic_steps(const char *root, const char *place)
{
    static const char word[] = "schedule(dynamic";
    const char *colon = strrchr(place, ':');
    char line[200], *said = NULL;
    char *path = hpc_printf("%s/%.*s", root, colon ? (int)(colon - place) : 0, place);
    for (long back = 0; colon && back < 2 && !said; back++)
        said = grade_line(path, strtol(colon + 1, NULL, 10) - back, line, sizeof line)
                   ? strstr(line, word)
                   : NULL;
    free(path);
    if (!said)
        return 0;
    said += strlen(word);
    said += strspn(said, ", ");
    return *said == ')' ? 1 : strtol(said, NULL, 10);
}

bool grade_dynamic_words(const char *root, const struct exchange_profile *p, int threads,
                         char *text, size_t size)
{
    for (int i = 0; threads > 1 && i < p->n; i++) {
        const int share = percent(p, p->line[i].waited + p->line[i].called);
        const long steps = share >= HANDED ? dynamic_steps(root, p->line[i].place) : 0;
        if (steps > 0 && steps <= FEW_STEPS)
            return text_fit(text, size,
                            "%d%% of its threads' time passes in handing out the steps of the loop "
                            "at %s, %ld at a time: schedule(static) hands them out once, a chunk "
                            "of hundreds seldom",
                            share, p->line[i].place, steps);
    }
    return false;
}

/* No line has much of the time: where the most of it passes. */
static bool say_spread(const struct exchange_profile *p, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < p->n && i < 3 && percent(p, p->line[i].ran) >= SPREAD; i++)
        text_fit(text, size, "%s%s%d%% at %s", text,
                 i ? ", " : "its time is spread over lines, of which these take most: ",
                 percent(p, p->line[i].ran), p->line[i].place);
    return *text;
}

/* ", in barrier_wait, which train calls: ..": the function of the student's that most waits are in.
 */
static void waiter(const struct exchange_profile *p, char *text, size_t size)
{
    int most = -1, edge = -1;
    for (int i = 0; i < p->n_functions; i++)
        if (most < 0 || p->function[i].waited > p->function[most].waited)
            most = i;
    for (int i = 0; i < p->n_edges; i++)
        if (p->edge[i].callee == most && (edge < 0 || p->edge[i].samples > p->edge[edge].samples))
            edge = i;
    text[0] = '\0';
    if (most >= 0 && edge >= 0 && 2 * p->edge[edge].samples > p->function[most].all)
        text_fit(text, size,
                 ", in %s, which %s calls: is that more often than there is something to exchange?",
                 p->function[most].name, p->function[p->edge[edge].caller].name);
}

bool grade_slow_words(const struct exchange_profile *p, int threads, char *text, size_t size)
{
    const struct exchange_line *call = calling(p), *hot = &p->line[0];
    char places[2 * EXCHANGE_PLACE + 10], whose[160];
    const int waited = waiting(p, places, sizeof places);
    waiter(p, whose, sizeof whose);
    if (threads > 1 && percent(p, waited) >= 25)
        snprintf(text, size, "its %d threads wait for %d%% of their time, at %s%s", threads,
                 percent(p, waited), places, whose);
    else if (threads > 1 && p->samples < p->looks + p->looks / 2)
        snprintf(text, size, "one thread is seen, where %d were given", threads);
    else if (percent(p, call->called) >= 25)
        snprintf(text, size, "%d%% of the time passes in what %s calls, not in the program itself",
                 percent(p, call->called), call->place);
    else if (percent(p, hot->ran) >= 25 && p->scalar > 2 * p->packed)
        snprintf(text, size,
                 "%d%% of the time passes at %s, one number an instruction: of the operations on "
                 "floats there %d are scalar and %d vectors'",
                 percent(p, hot->ran), hot->place, p->scalar, p->packed);
    else if (percent(p, hot->ran) >= 25)
        snprintf(text, size, "%d%% of the time passes at %s", percent(p, hot->ran), hot->place);
    else
        return say_spread(p, text, size);
    return true;
}

/* The function of a profile where most time passes. */
static void count_function(const struct exchange_profile *p, struct task_counters *c)
{
    int most = 0, all = 0; /* in the solution: its runner's own samples are not its time */
    for (int i = 0; i < p->n_functions; i++) {
        const struct exchange_function *f = &p->function[i];
        const int own = f->ran + f->called + f->waited;
        all += own;
        if (own <= most)
            continue;
        most = own;
        snprintf(c->function, sizeof c->function, "%s", f->name);
    }
    c->share = all ? (double)most / all : 0;
}

/* The time of a copy of inputs and outputs, which takes the machine's memory for a moment. */
static void count_copy(const struct grading *g, const struct trial *t, struct task_speed *s)
{
    const struct lab_case *c = &g->project->lab->cases[t->task->speed_case];
    struct ready_case ready;
    struct hpc_cost cost;
    struct hpc_error err;
    if (!case_ready(c, g->seed, t->threads, &ready, &err))
        return;
    c->op->cost(ready.problem, &cost);
    s->counters.copy = cost.bytes / copy_rate(t->threads, true) / s->student_s;
}

void grade_slow(const struct grading *g, struct trial *t, bool slow, bool whole,
                struct task_result *result)
{
    struct exchange_profile p;
    char text[512], numbers[400] = "", before[400], remark[400];
    const enum verdict verdict = result->outcome.verdict;
    if (verdict != VERDICT_PASS && verdict != VERDICT_NOISY)
        return;
    if (whole)
        count_copy(g, t, &result->speed);
    ui_progress("%s: looking where the time goes", t->task->name);
    struct outcome ended;
    if (!trial_profile(t, g->seed + 1, &p, &ended) || p.samples < LEAST || p.n == 0)
        return;
    count_function(&p, &result->speed.counters);
    if (!slow)
        return;
    if (!say_locks(g->project->root, &p, t->threads, text, sizeof text) &&
        !say_turns(g->project->root, &p, t->threads, text, sizeof text) &&
        !grade_dynamic_words(g->project->root, &p, t->threads, text, sizeof text) &&
        !say_shared(g, t, text, sizeof text, numbers, sizeof numbers) &&
        !grade_sums_words(g->project->root, &p, text, sizeof text) &&
        !grade_stride_words(g->project->root, &p, text, sizeof text) &&
        !grade_slow_words(&p, t->threads, text, sizeof text))
        return;
    grade_if_words(g->project->root, &p, text, sizeof text);
    text_fit(before, sizeof before, "%s", result->outcome.reason);
    text_fit(remark, sizeof remark, "%s", result->outcome.hint);
    if (verdict == VERDICT_PASS) {
        outcome_reason(&result->outcome, "slow: %s", text);
        outcome_hint(&result->outcome, "%s%s%s", numbers, *before ? outcome_joint(numbers) : "",
                     before);
    } else {
        outcome_hint(&result->outcome, "slow: %s%s%s", text, *numbers ? outcome_joint(text) : "",
                     numbers);
    }
    grade_quote(g, t, result);
    const char *hint = result->outcome.hint;
    if (*remark && strlen(hint) + strlen(remark) + 3 <= sizeof result->outcome.hint)
        outcome_hint(&result->outcome, "%s%s%s", hint, outcome_joint(hint), remark);
}
